import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { expect, pickUser, test, type World } from './world.js';

const RECIPES = join(import.meta.dirname, '../examples/recipes');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a built recipe on an origin that the client allows, with the address of the test's service. */
async function serve(world: World, read: (path: string) => string) {
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const type = TYPES[extname(path)];
    if (!type) return void response.writeHead(404).end();
    const text = read(path).replaceAll('http://127.0.0.1:4400', world.service.baseUrl);
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await world.service.operator.updateClient(`oac_${'5c'.repeat(12)}`, { widgetOrigins: [origin] });
  return {
    origin,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Asserts the behavior that all recipes share. */
async function expectItWorks(page: Page, origin: string): Promise<void> {
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
  await expect(gate).toHaveAttribute('state', 'signed-out');
  await expect(page.getByText('Members see this.')).toBeHidden();

  const opened = page.waitForEvent('popup');
  await button.click();
  const popup = await opened;
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  // The page's own code received the event.
  await expect(page.locator('#greeting')).toHaveText('Hello ada@example.com');
  await expect(gate).toHaveAttribute('state', 'open');
  await expect(page.getByText('Members see this.')).toBeVisible();

  await login.getByRole('button', { name: 'ada@example.com' }).click();
  await login.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.locator('#greeting')).toHaveText('You are not signed in.');
  await expect(gate).toHaveAttribute('state', 'signed-out');
  // Browsers request an icon, which the recipe doesn't have.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
}

for (const name of ['react', 'vue', 'svelte', 'angular', 'preact']) {
  test(`the recipe for ${name} builds, passes properties, receives events, and opens the gate`, async ({
    page,
    world,
  }) => {
    const outDir = test.info().outputPath('site');
    await build({
      root: join(RECIPES, name),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true, target: 'es2022' },
    });
    const site = await serve(world, (path) => readFileSync(join(outDir, path), 'utf8'));
    try {
      await expectItWorks(page, site.origin);
    } finally {
      site.close();
    }
  });
}

test('the recipe for a content management system works unchanged', async ({ page, world }) => {
  const block = readFileSync(join(RECIPES, 'cms/block.html'), 'utf8');
  const site = await serve(
    world,
    () => `<!doctype html><html lang="en"><title>A page</title><body><h1>A page</h1>${block}</body></html>`,
  );
  try {
    await expectItWorks(page, site.origin);
  } finally {
    site.close();
  }
});
