// Measures the size of latchkey.js after brotli, and what holds it: each library, and each folder of the sources. The parts
// are minified and compressed alone, so their sum differs from the whole file.
//
//   npm run build && node packages/widget/bench/size.mjs [--json figures.json]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build } from 'vite';
import { spread, writeFigures } from '../../../scripts/bench/measured.mjs';

/** Kilobytes after brotli. */
const BUDGET = 21;

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const kilobytes = (text) => brotliCompressSync(text).length / 1000;

const total = kilobytes(readFileSync(`${root}dist/latchkey.js`));
const figures = { kilobytes: spread([total]) };
console.log(
  `latchkey.js: ${total.toFixed(1)} kB after brotli (${total <= BUDGET ? 'within' : 'MISSES'} ${BUDGET})`,
);
for (const { name, size } of await parts()) {
  figures[`part ${name}`] = spread([size]);
  console.log(`  ${name.padEnd(24)}${size.toFixed(1).padStart(6)}`);
}
writeFigures(options.json, figures);

async function parts() {
  const [{ output }] = await build({ root, mode: 'latchkey', logLevel: 'error', build: { write: false } });
  const code = new Map();
  for (const [id, module] of Object.entries(output[0].modules)) {
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
