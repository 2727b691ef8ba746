// Generates custom-elements.json (the Custom Elements Manifest) and vscode.html-custom-data.json from the comments and types
// of the elements. `npm run manifest` writes both files. Tests compare the committed files with the sources, and the
// manifest with the elements in a browser.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer/index.js';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';

const FOLDER = import.meta.dirname;
const SOURCES = 'src/{define,plans,element/*-element,{login,gate,checkout}/*-element}.ts';

/** @returns the text of each file, by name */
export function describeElements() {
  const sources = globSync(SOURCES, { cwd: FOLDER })
    .sort((one, other) => basename(one).localeCompare(basename(other)))
    .map((path) =>
      ts.createSourceFile(path, readFileSync(join(FOLDER, path), 'utf8'), ts.ScriptTarget.ES2022, true),
    );
  const { modules } = create({ modules: sources, plugins: litPlugin(), context: { dev: false } });
  const published = modules
    .filter(({ path }) => /\/(define|(login|gate)-element|plans|(plans|join)-element)\.ts$/.test(path))
    .map((module) => ({ ...module, declarations: module.declarations.map(publicPart) }));
  const manifest = { schemaVersion: '1.0.0', readme: 'README.md', modules: published };
  const text = JSON.stringify(manifest, null, 2).replace(/\/?src\/([\w/-]+)\.[jt]s/g, 'dist/$1.js');
  const elements = published.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName);
  return {
    'custom-elements.json': `${text}\n`,
    'vscode.html-custom-data.json': `${JSON.stringify(editorData(elements), null, 2)}\n`,
  };
}

/** Removes members that are not public, and where a member was inherited from. */
function publicPart({ members = [], attributes = [], ...declaration }) {
  const isPublic = ({ name = '', fieldName = name, privacy = 'public', static: isStatic }) =>
    privacy === 'public' && !isStatic && !/^[#_]/.test(fieldName);
  const withoutOrigin = ({ inheritedFrom, ...member }) => member;
  return {
    ...declaration,
    superclass: { name: 'LitElement', package: 'lit' },
    members: members.filter(isPublic).map(withoutOrigin),
    attributes: attributes.filter(isPublic).map(withoutOrigin),
  };
}

/** Data with which VS Code completes and explains the elements in HTML. The setting `html.customData` names the file. */
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
