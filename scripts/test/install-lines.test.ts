import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageToInstall } from '../../packages/sandbox/src/integration/snippet-choice.js';

const ROOT = join(import.meta.dirname, '../..');
const options = { cwd: ROOT, exclude: ['**/{node_modules,dist,dist-test,packed,.cache}/**'] };
const documents = globSync('{*.md,{docs,packages,demo,examples,scripts}/**/*.md}', options).sort();
const files = globSync(
  '{*.json,{docs,packages,demo,examples,scripts,e2e}/**/*.{ts,tsx,mjs,json,html,vue,svelte}}',
  options,
);
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

// With -u, vitest writes the lines. A release does it once: CONTRIBUTING.md, "Releases".
it.each(documents)('%s installs packages from where they are', async (file) => {
  const text = textOf(file).replaceAll(/npm (?:install|i|add) .*/g, (line) =>
    line.replaceAll(/(?:@latchkey\/|\S*packed\/)(\w[\w-]*)(?:\.tgz)?/g, (_all, name) =>
      packageToInstall(name),
    ),
  );
  await expect(text).toMatchFileSnapshot(join(ROOT, file));
});

it('runs only an installed latchkey, since npx would download whatever has that name', () => {
  const command = /npx (?!--no )\S*latchkey.*|"npx",?\s+"args": \["(?!--no").*/g;
  const found = [...documents, ...files].flatMap((file) => textOf(file).match(command) ?? []);
  expect(found).toEqual([]);
});

it('has the line for code in one place', () => {
  const found = files.filter((file) => /npm (?:install|i|add) [^`'"\n]*@latchkey\//.test(textOf(file)));
  expect(found).toEqual([]);
});
