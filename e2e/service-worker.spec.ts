import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';

// A single-page app whose service worker answers each navigation with the page of the app, as those of many build tools do.

const FILES = join(import.meta.dirname, '../packages/widget/dist');

const WORKER = `addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  if (mode === 'navigate' && new URL(url).pathname !== '/app/') event.respondWith(fetch('/app/'));
});`;

const APP = `<!doctype html><title>App</title><script src="/latchkey/latchkey.js"></script>
<latchkey-login client-id="oac_a1b2c3d4e5f60718293a4b5c" backend="/app/auth" mode="redirect"></latchkey-login>`;

/** Answers of the site by path. The kit would redirect from `/app/auth/login`. */
const ANSWERS: Record<string, readonly [type: string, body: string]> = {
  '/': ['text/html', '<title>Start</title>'],
  '/app/': ['text/html', APP],
  '/app/worker.js': ['text/javascript', WORKER],
  '/app/auth/session': ['application/json', '{"signedIn":false}'],
};

const server = createServer(({ url = '' }, response) => {
  const [path = ''] = url.split('?');
  const [, file] = /^\/latchkey\/([\w-]+\.js)$/.exec(path) ?? [];
  const [type, body] = file
    ? ['text/javascript', readFileSync(join(FILES, file))]
    : (ANSWERS[path] ?? ['text/plain', 'Not found']);
  response.writeHead(200, { 'content-type': type }).end(body);
});
let origin = '';
test.beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Installs the service worker. Returns what the pages write to the console since. */
async function install(page: Page): Promise<string[]> {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto(`${origin}/`);
  await page.evaluate(() => navigator.serviceWorker.register('/app/worker.js'));
  await expect
    .poll(() =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/app/'))?.active?.state),
    )
    .toBe('activated');
  return logged;
}

const NAMED = 'a service worker answered, not the Express kit. It must let /app/auth/ pass.';

test('a service worker that answers the sign-in of the kit is named, and the next click shows a failure', async ({
  page,
}) => {
  const logged = await install(page);
  await page.goto(`${origin}/app/`);
  const login = page.locator('latchkey-login');
  await login.getByRole('button').first().click();
  await page.waitForURL('**/app/auth/login?**');
  await expect.poll(() => logged).toHaveLength(1);
  expect(logged[0]).toContain(`/app/auth/login: ${NAMED}`);
  expect(logged[0]).toContain('kit_path_taken');
  await login.getByRole('button', { name: 'Sign in' }).click();
  await expect(login.getByRole('status')).toContainText('not set up correctly');
  await expect(login).toContainText('misconfigured');
});

for (const path of ['/app/auth/login/?returnTo=/', '/app/auth/callback?code=c&state=s', '/app/auth/logout']) {
  test(`a service worker that answers ${path} with the app is named`, async ({ page }) => {
    const logged = await install(page);
    await page.goto(origin + path);
    await expect.poll(() => logged).toHaveLength(1);
    expect(logged[0]).toContain(NAMED);
  });
}

test('a page of the app is no such answer, also one below the path of the kit', async ({ page }) => {
  const logged = await install(page);
  for (const path of ['/app/', '/app/auth/', '/app/auth/login/help']) {
    await page.goto(origin + path);
    await page.locator('latchkey-login').evaluate(async (login: HTMLElementTagNameMap['latchkey-login']) => {
      await customElements.whenDefined('latchkey-login');
      await login.updateComplete;
      await login.session?.prepare();
    });
  }
  expect(logged).toEqual([]);
});
