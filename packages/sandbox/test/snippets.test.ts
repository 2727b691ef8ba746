import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { snippetsFor } from '../src/integration/snippets.js';

const ROOT = join(import.meta.dirname, '../../..');
const BASE_URL = 'http://127.0.0.1:4400';
const snippets = snippetsFor({ baseUrl: BASE_URL, serviceNames: DEFAULT_SERVICE_NAMES });
const codeOf = (title: string) => snippets.find((snippet) => snippet.title === title)?.code ?? '';
const fileText = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Lines without indentation and without empty ones. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

describe('the snippets of the front page', () => {
  it('are one for each way to use the service', () => {
    const titles = ['Script tag', 'npm', 'React', 'Vue', 'Svelte', 'Express', 'Webhook', 'Client'];
    expect(snippets.map(({ title }) => title)).toEqual(titles);
  });

  // The tests of the documents run the code of the READMEs.
  it.each([
    ['Script tag', 'packages/widget/README.md'],
    ['Express', 'packages/express/README.md'],
    ['Webhook', 'packages/express/README.md'],
    ['Client', 'packages/client/README.md'],
  ])('%s is the code of %s', (title, file) => {
    expect(fileText(file).includes(codeOf(title)), codeOf(title)).toBe(true);
  });

  // The tests of the recipes build them and use them in a browser.
  it.each([
    ['React', 'examples/recipes/react/main.tsx', 'export function Membership() {'],
    ['Vue', 'examples/recipes/vue/recipe-page.vue', ''],
    ['Svelte', 'examples/recipes/svelte/recipe-page.svelte', ''],
  ])('%s consists of lines of %s', (title, file, own) => {
    const recipe = fileText(file).replaceAll(
      'oac_5c5c5c5c5c5c5c5c5c5c5c5c',
      sandboxScenario.publicClient.clientId,
    );
    const lines = linesOf(recipe);
    expect(linesOf(codeOf(title)).filter((line) => line !== own && !lines.includes(line))).toEqual([]);
  });

  it('add the names of a service that has its own', () => {
    const names = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };
    const renamed = snippetsFor({ baseUrl: BASE_URL, serviceNames: names });
    for (const title of ['Express', 'Client']) {
      expect(renamed.find((snippet) => snippet.title === title)?.code).toContain('serviceNames: JSON.parse(');
    }
    expect(renamed.at(-1)?.code).toContain('`acme_');
  });
});
