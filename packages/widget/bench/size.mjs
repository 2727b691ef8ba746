// Measures the sizes after brotli of latchkey.js, of the module that it loads for a sign-in, and of both in one file. And what
// holds them: each library, and each folder of the sources. The parts are minified and compressed alone, so their sum differs
// from the whole files.
//
//   npm run build && node packages/widget/bench/size.mjs [--json figures.json]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build } from 'vite';
import { spread, writeFigures } from '../../../scripts/bench/measured.mjs';
import budgets from '../size-budgets.json' with { type: 'json' };

/** Files with their budgets in bytes after brotli: what a page needs before the button, what follows, and both in one. */
const BUDGETS = Object.entries(budgets).filter(([file]) => /^latchkey(-sign-in|-all)?\.js$/.test(file));

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const kilobytes = (text) => brotliCompressSync(text).length / 1000;

const figures = {};
for (const [file, bytes] of BUDGETS) {
  const size = kilobytes(readFileSync(`${root}dist/${file}`));
  const budget = bytes / 1000;
  figures[file] = spread([size]);
  console.log(
    `${file}: ${size.toFixed(1)} kB after brotli (${size <= budget ? 'within' : 'MISSES'} ${budget})`,
  );
}
for (const { name, size } of await parts()) {
  figures[`part ${name}`] = spread([size]);
  console.log(`  ${name.padEnd(24)}${size.toFixed(1).padStart(6)}`);
}
writeFigures(options.json, figures);

async function parts() {
  const [{ output }] = await build({ root, mode: 'latchkey', logLevel: 'error', build: { write: false } });
  const code = new Map();
  const modules = output.flatMap((chunk) => Object.entries(chunk.modules ?? {}));
  for (const [id, module] of modules) {
    const name = partOf(id);
    code.set(name, `${code.get(name) ?? ''}\n{${module.code ?? ''}}`);
  }
  const sizes = await Promise.all(
    [...code].map(async ([name, text]) => {
      const { code: small } = await minify(text, { compress: { unused: false }, mangle: { toplevel: true } });
      return { name, size: kilobytes(small) };
    }),
  );
  return sizes.filter(({ size }) => size >= 0.1).toSorted((one, other) => other.size - one.size);
}

/** The library of a module, or its package and folder. */
function partOf(id) {
  const [, library] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  if (library !== undefined) return /^@?lit/.test(library) ? 'lit' : library;
  const [, name, folder] = /\/packages\/([^/]+)\/(?:src|dist)\/(?:([^/]+)\/)?/.exec(id) ?? [];
  if (name !== 'widget') return name ?? 'build';
  return `widget/${/^(element|login|gate)$/.test(folder) ? 'elements' : (folder ?? 'entry')}`;
}
