// Describes the elements for editors and tools, out of the comments and types of their classes: custom-elements.json (the
// Custom Elements Manifest) and vscode.html-custom-data.json. `npm run manifest` writes both; a test compares what is
// committed with the sources, and another one with the elements in a browser.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer/index.js';

const FOLDER = import.meta.dirname;
const SOURCES = 'src/elements/*-element{,-define}.ts';
/** Members that every element has from its frame, and that are nobody's to use. */
const INTERNAL = ['adoptedStyleSheets'];

/** @returns both files, by name, as they should stand. */
export function describeElements() {
  const sources = globSync(SOURCES, { cwd: FOLDER })
    .sort()
    .map((path) =>
      ts.createSourceFile(path, readFileSync(join(FOLDER, path), 'utf8'), ts.ScriptTarget.ES2022, true),
    );
  const { modules } = create({ modules: sources, plugins: [], context: { dev: false } });
  const published = modules
    .filter(({ path }) => /\/(login|gate)-element(-define)?\.ts$/.test(path))
    .map((module) => ({ ...module, declarations: module.declarations.map(publicPart) }));
  const manifest = { schemaVersion: '1.0.0', readme: 'README.md', modules: published };
  const text = JSON.stringify(manifest, null, 2).replace(
    /\/?src\/elements\/([\w-]+)\.[jt]s/g,
    'dist/elements/$1.js',
  );
  const elements = published.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName);
  return {
    'custom-elements.json': `${text}\n`,
    'vscode.html-custom-data.json': `${JSON.stringify(editorData(elements), null, 2)}\n`,
  };
}

/** What the class shows to the outside, with an attribute for each property that reflects one. */
function publicPart({ members = [], attributes = [], ...declaration }) {
  const shown = members.filter(
    ({ name, privacy, static: isStatic }) =>
      (privacy ?? 'public') === 'public' && !isStatic && !name.startsWith('#') && !INTERNAL.includes(name),
  );
  // `static observedAttributes` names them too, but only those of the class itself, and without a word about them.
  const described = attributes.filter(({ description }) => description);
  const reflected = shown.filter(({ kind, type }) => kind === 'field' && / null$/.test(type?.text ?? ''));
  return {
    ...declaration,
    superclass: { name: 'HTMLElement' },
    members: shown.map(({ inheritedFrom, ...member }) => ({
      ...member,
      ...(reflected.some(({ name }) => name === member.name) && {
        attribute: attributeOf(member.name),
        reflects: true,
      }),
    })),
    attributes: [
      ...reflected.map(({ name, type, description }) => ({
        name: attributeOf(name),
        fieldName: name,
        type,
        description,
      })),
      ...described,
    ],
  };
}

function attributeOf(property) {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What VS Code completes and explains in HTML: `html.customData` in its settings names the file. */
function editorData(elements) {
  return {
    version: 1.1,
    tags: elements.map(({ tagName, description, attributes, slots }) => ({
      name: tagName,
      description: `${description}\n\nSlots: ${slots.map(({ name }) => name || 'default').join(', ')}.`,
      attributes: attributes.map(({ name, description: about, type }) => {
        const values = [...(type?.text ?? '').matchAll(/'([^']+)'/g)].map(([, value]) => ({ name: value }));
        return {
          name,
          description: about,
          ...(values.length > 0 && { values }),
          ...(type?.text === 'boolean' && { valueSet: 'v' }),
        };
      }),
    })),
  };
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(describeElements())) writeFileSync(join(FOLDER, name), text);
}
