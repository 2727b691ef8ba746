import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { LONG } from './levels.js';
import { freePort, npmScript, STARTS_MS } from './running-command.js';
import { prepareStrangers, STRANGERS } from './strangers.js';
import { expect, pickUser, test, type World } from './world.js';

const RECIPES = join(import.meta.dirname, '../examples/recipes');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Builds a recipe. Vite sets NODE_ENV to production, which would also apply to the demo of the next test. */
async function buildRecipe(folder: string, outDir: string): Promise<void> {
  const { NODE_ENV } = process.env;
  try {
    await build({
      root: folder,
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true, target: 'es2022' },
    });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** Serves a built recipe on an origin that the client allows, with the address of the test's service and the backend. */
async function serve(world: World, read: (path: string) => string) {
  const backendPort = await freePort();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/auth')) return void forward(request, response, backendPort);
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const type = TYPES[extname(path)];
    if (!type) return void response.writeHead(404).end();
    const text = read(path).replaceAll('http://127.0.0.1:4400', world.service.baseUrl);
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await world.service.operator.change('clients', `oac_${'5c'.repeat(12)}`, { widgetOrigins: [origin] });
  const backend = npmScript('example:recipes', {
    PORT: `${backendPort}`,
    PAGE_URL: origin,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  await expect.poll(backend.printed, { timeout: STARTS_MS }).toContain(`:${backendPort}`);
  return {
    origin,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await backend.stop();
    },
  };
}

/** Sends a request on to the backend, as the development server of Vite does. */
function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const onward = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  request.pipe(onward);
}

/** Asserts the behavior that all recipes share. */
async function expectItWorks(page: Page, { origin, world }: { origin: string; world: World }): Promise<void> {
  await prepareStrangers(world);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  await page.goto(origin);
  const login = page.locator('latchkey-login');
  const gate = page.locator('latchkey-gate');
  // The text comes from a property; in the plain page, from an attribute.
  const button = login.getByRole('button', { name: 'Join the table' });
  await expect(button).toBeVisible();
  await expect(gate).toHaveJSProperty('state', 'signed-out');
  await expect(page.getByText('Members see this.')).toBeHidden();

  const signInAs = async (email: string) => {
    const opened = page.waitForEvent('popup');
    await button.click();
    const popup = await opened;
    await pickUser(popup, email);
    await popup.getByRole('button', { name: 'Allow' }).click();
  };
  await signInAs('ada@example.com');
  // The page's own code received the event.
  await expect(page.locator('#greeting')).toHaveText('Hello ada@example.com');
  await expect(gate).toHaveJSProperty('state', 'open');
  await expect(page.getByText('Members see this.')).toBeVisible();

  await login.getByRole('button', { name: 'ada@example.com' }).click();
  await login.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.locator('#greeting')).toHaveText('You are not signed in.');
  await expect(gate).toHaveJSProperty('state', 'signed-out');

  // Members of other sellers stay outside.
  for (const email of STRANGERS) {
    await page.context().clearCookies();
    await page.reload();
    await signInAs(email);
    await expect(page.locator('#greeting')).toHaveText(`Hello ${email}`);
    await expect(gate).toHaveJSProperty('state', 'locked');
    await expect(page.getByText('Members see this.')).toBeHidden();
  }
  // Browsers request an icon, which the recipe doesn't have.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
}

// The short form runs the quick start of React, in `guides.spec.ts`.
for (const name of ['react', 'vue', 'svelte', 'angular', 'preact']) {
  test(`the recipe for ${name} builds, passes properties, receives events, and opens the gate`, {
    tag: LONG,
  }, async ({ page, world }) => {
    const outDir = test.info().outputPath('site');
    await buildRecipe(join(RECIPES, name), outDir);
    const site = await serve(world, (path) => readFileSync(join(outDir, path), 'utf8'));
    try {
      await expectItWorks(page, { origin: site.origin, world });
    } finally {
      await site.close();
    }
  });
}

test('the recipe for a content management system works unchanged', { tag: LONG }, async ({ page, world }) => {
  const block = readFileSync(join(RECIPES, 'cms/block.html'), 'utf8');
  const site = await serve(
    world,
    () => `<!doctype html><html lang="en"><title>A page</title><body><h1>A page</h1>${block}</body></html>`,
  );
  try {
    await expectItWorks(page, { origin: site.origin, world });
  } finally {
    await site.close();
  }
});

/** The file that a snippet of the sandbox's page is pasted into, and what shows it. */
const PASTED: [title: string, file: string, main: string][] = [
  [
    'React',
    'snippet.tsx',
    `import { createElement } from 'react';
     import { createRoot } from 'react-dom/client';
     import { Membership } from './snippet.tsx';
     createRoot(document.querySelector('#root')).render(createElement(Membership));`,
  ],
  [
    'Vue',
    'snippet.vue',
    `import { createApp } from 'vue';
     import Snippet from './snippet.vue';
     createApp(Snippet).mount('#root');`,
  ],
  [
    'Svelte',
    'snippet.svelte',
    `import { mount } from 'svelte';
     import Snippet from './snippet.svelte';
     mount(Snippet, { target: document.querySelector('#root') });`,
  ],
];

for (const [title, file, main] of PASTED) {
  test(`the snippet for ${title} on the sandbox's page builds as printed, and shows the elements`, async ({
    page,
    world,
  }) => {
    await page.goto(`${world.service.baseUrl}/sandbox`);
    const shown = page
      .locator('details[name="snippet"]')
      .filter({ has: page.locator('summary', { hasText: title }) });
    const code = await shown.locator('pre').textContent();
    const recipe = title.toLowerCase();
    // Inside the repository, so that the packages are found as after an installation.
    const folder = mkdtempSync(join(RECIPES, '.cache-'));
    const outDir = test.info().outputPath('site');
    try {
      cpSync(join(RECIPES, recipe), folder, { recursive: true });
      writeFileSync(join(folder, file), code ?? '');
      writeFileSync(join(folder, title === 'React' ? 'main.tsx' : 'main.ts'), main);
      await buildRecipe(folder, outDir);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const site = await serve(world, (path) => readFileSync(join(outDir, path), 'utf8'));
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    try {
      await page.goto(site.origin);
      await expect(
        page.locator('latchkey-login').getByRole('button', { name: 'Sign in' }).first(),
      ).toBeVisible();
      await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', 'signed-out');
      expect(errors).toEqual([]);
    } finally {
      await site.close();
    }
  });
}
