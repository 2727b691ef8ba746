import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { createSandbox, sandboxEnv, sandboxScenario } from '../src/index.js';
import { snippetsFor } from '../src/integration/snippets.js';

const ROOT = join(import.meta.dirname, '../../..');
const BASE_URL = 'http://127.0.0.1:4400';
const SITE = { serviceNames: DEFAULT_SERVICE_NAMES, siteUrl: 'http://localhost:3000' };
const snippets = snippetsFor({ baseUrl: BASE_URL, ...SITE });
const SHOP = 'http://localhost:4567';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

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

  // e2e/recipes.spec.ts builds both, and opens them in a browser.
  it.each([
    ['React', 'examples/recipes/react/main.tsx', 'export function Membership() {'],
    ['Vue', 'examples/recipes/vue/recipe-page.vue', ''],
    ['Svelte', 'examples/recipes/svelte/recipe-page.svelte', ''],
  ])('%s consists of lines of %s', (title, file, own) => {
    const recipe = fileText(file).replaceAll(
      'oac_5c5c5c5c5c5c5c5c5c5c5c5c',
      sandboxScenario.confidentialClient.clientId,
    );
    const lines = linesOf(recipe);
    expect(linesOf(codeOf(title)).filter((line) => line !== own && !lines.includes(line))).toEqual([]);
  });

  it('are for the site that the sandbox was started for, with one client for page and backend', async () => {
    const sandbox = await createSandbox({ shops: { scriptTagShop: SHOP, backendShop: SHOP } });
    try {
      const $ = load(await (await fetch(`${sandbox.baseUrl}/sandbox`)).text());
      const shown = (title: string) =>
        $('details[name="snippet"]')
          .filter((_index, fold) => $(fold).find('summary').text() === title)
          .find('pre')
          .text();
      expect(shown('Express')).toContain(`appUrl: '${SHOP}'`);
      expect(shown('Express')).toContain(".listen(4567, '127.0.0.1')");
      const { clientId } = sandboxScenario.confidentialClient;
      for (const title of ['Script tag', 'React', 'Vue', 'Svelte', 'Express']) {
        expect(shown(title), title).toContain(clientId);
        expect(shown(title), title).not.toContain(sandboxScenario.publicClient.clientId);
      }
    } finally {
      await sandbox.close();
    }
  });

  it('run, pasted into an empty project', async () => {
    const port = await freePort();
    const siteUrl = `http://localhost:${port}`;
    const sandbox = await createSandbox({ shops: { scriptTagShop: siteUrl, backendShop: siteUrl } });
    // Inside the repository, so that the packages are found as after an installation.
    const folder = mkdtempSync(join(import.meta.dirname, '../.cache-'));
    const pasted = new Map(
      snippetsFor({ ...SITE, siteUrl, baseUrl: sandbox.baseUrl }).map(({ title, code }) => [title, code]),
    );
    const env = { ...process.env, ...parseEnv(sandboxEnv(sandbox)) };
    const run = (title: string, code: string) => {
      writeFileSync(join(folder, `${title}.mjs`), code);
      return spawn(process.execPath, [`${title}.mjs`], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    };
    const server = run(
      'express',
      (pasted.get('Express') ?? '')
        .replace('{ latchkey,', '{ latchkey, referencePayload,')
        .replace(
          'app.use(auth.router);',
          `${pasted.get('Webhook')}\napp.use(auth.router);\napp.use(express.static('.'));`,
        ),
    );
    try {
      writeFileSync(join(folder, 'index.html'), pasted.get('Script tag') ?? '');
      await expect
        .poll(() =>
          fetch(siteUrl).then(
            ({ ok }) => ok,
            () => false,
          ),
        )
        .toBe(true);
      expect(await (await fetch(siteUrl)).text()).toContain(`src="${sandbox.baseUrl}/widget/latchkey.js"`);
      const gate = await fetch(`${siteUrl}/table`, { redirect: 'manual', headers: { accept: 'text/html' } });
      expect(gate.headers.get('location')).toMatch(/\/auth\/login/);
      const login = await fetch(new URL(gate.headers.get('location') ?? '', siteUrl), { redirect: 'manual' });
      const authorize = await fetch(login.headers.get('location') ?? '', { redirect: 'manual' });
      // The service knows the client, its redirect URI and the site.
      expect(authorize.headers.get('location')).toMatch(/^\/?.*(?:sign-in|consent)/);
      expect((await fetch(`${siteUrl}/webhooks`, { method: 'POST', body: '{}' })).status).toBe(401);

      const client = run('client', pasted.get('Client') ?? '');
      const printed = await text(client.stdout);
      expect(printed.trim()).toMatch(new RegExp(`^${sandbox.baseUrl}/checkout/`));
    } finally {
      server.kill();
      await once(server, 'close');
      await sandbox.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('add the names of a service that has its own', () => {
    const names = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };
    const renamed = snippetsFor({ ...SITE, baseUrl: BASE_URL, serviceNames: names });
    for (const title of ['Express', 'Client']) {
      expect(renamed.find((snippet) => snippet.title === title)?.code).toContain('serviceNames: JSON.parse(');
    }
    expect(renamed.at(-1)?.code).toContain('`acme_');
  });
});
