// Counts the names that a package exports at its public entries.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSourceFile } from '../source-files.mjs';

/**
 * Counts the distinct names that the entries of a package export.
 * @returns {{ values: number, types: number }}
 */
export function countExports(root, name) {
  const folder = `packages/${name}`;
  const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const names = new Map();
  for (const target of Object.values(exports)) {
    if (typeof target !== 'object' || !target.types) continue;
    const file = sourceOf(root, folder, target.types);
    if (file === undefined) continue;
    for (const [exported, kind] of exportsOf(root, file)) names.set(exported, kind);
  }
  const kinds = [...names.values()];
  return {
    values: kinds.filter((kind) => kind === 'value').length,
    types: kinds.filter((kind) => kind === 'type').length,
  };
}

/** Returns the source of a built declaration file: `./dist/index.d.ts` is `src/index.ts`. */
function sourceOf(root, folder, target) {
  const base = join(folder, target.replace('./dist/', 'src/').replace(/\.d\.ts$/, ''));
  return ['.ts', '.tsx']
    .map((extension) => `${base}${extension}`)
    .find((file) => existsSync(join(root, file)));
}

/** Returns the exported names of a file, each with its kind: `value` or `type`. */
function exportsOf(root, file) {
  const source = parseSourceFile(file, root);
  const types = declaredTypes(source.program);
  const found = new Map();
  for (const { entries } of source.module.staticExports) {
    for (const { moduleRequest, importName, exportName, localName, isType } of entries) {
      const origin = moduleRequest && resolveRelative(root, file, moduleRequest.value);
      if (importName.kind === 'AllButDefault') {
        for (const [name, kind] of origin ? exportsOf(root, origin) : [])
          found.set(name, isType ? 'type' : kind);
        continue;
      }
      const name = exportName.name ?? 'default';
      const original = origin ? exportsOf(root, origin).get(importName.name) : undefined;
      const local = types.has(localName.name ?? name) ? 'type' : 'value';
      found.set(name, isType ? 'type' : (original ?? local));
    }
  }
  return found;
}

/** Returns the names that are declared as types only, or imported as such. */
function declaredTypes(program) {
  const names = program.body.flatMap((statement) => {
    const declaration = statement.declaration ?? statement;
    if (/^TS(Interface|TypeAlias)Declaration$/.test(declaration.type)) return [declaration.id.name];
    if (declaration.type !== 'ImportDeclaration') return [];
    return declaration.specifiers
      .filter((specifier) => declaration.importKind === 'type' || specifier.importKind === 'type')
      .map(({ local }) => local.name);
  });
  return new Set(names);
}

function resolveRelative(root, file, request) {
  if (!request.startsWith('.')) return undefined;
  const base = join(dirname(file), request);
  return [base, base.replace(/\.js$/, '.ts'), base.replace(/\.js$/, '.tsx')].find((path) =>
    existsSync(join(root, path)),
  );
}
