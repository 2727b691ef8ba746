import { exec } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page, test } from '@playwright/test';
import { dependByPath, pack } from '../scripts/pack.mjs';
import { commandIn, freePort, type RunningCommand } from './running-command.js';

// Pages with the elements that frameworks render on a server and hydrate, built by their own tools: `frameworks/` has the files.

const WIDGET = join(import.meta.dirname, '../packages/widget/dist');
const COMMUNITY = '5eed0000-0000-4000-8000-0000000000c0';

/** Time limit for an installation, or a build and a start, on a busy machine, in milliseconds. */
const INSTALL_MS = 600_000;

/**
 * Command lines by the folder of the framework. `$PORT` is the port to listen on, at 127.0.0.1. `swapped` are pages of a site that hydrates
 * nothing; its script replaces the body when the visitor follows a link.
 */
const FRAMEWORKS: Record<string, { development?: string; production: string; swapped?: readonly string[] }> =
  {
    'react-router': {
      development: 'react-router dev --host 127.0.0.1 --port $PORT',
      production: 'react-router build && react-router-serve build/server/index.js',
    },
    sveltekit: {
      development: 'vite dev --host 127.0.0.1 --port $PORT',
      production: 'vite build && node build',
    },
    nuxt: {
      development: 'nuxt dev --host 127.0.0.1 --port $PORT',
      production: 'nuxt build && node .output/server/index.mjs',
    },
    next: {
      development: 'next dev --hostname 127.0.0.1 --port $PORT',
      production: 'next build && next start --hostname 127.0.0.1 --port $PORT',
    },
    astro: {
      development: 'astro dev --host 127.0.0.1 --port $PORT',
      production: 'astro build && astro preview --host 127.0.0.1 --port $PORT',
      swapped: ['/', '/script'],
    },
    swaps: { production: 'node server.js', swapped: ['/turbo', '/htmx'] },
  };

const ANSWERS: Record<
  string,
  (isSignedIn: boolean) => readonly [status: number, type: string, body: string]
> = {
  '/auth/session': (isSignedIn) => [
    200,
    'application/json',
    JSON.stringify(isSignedIn ? member() : { signedIn: false }),
  ],
  '/members': (isSignedIn) => [isSignedIn ? 200 : 401, 'text/html', '<p>Recipes</p>'],
  '/favicon.ico': () => [204, 'image/x-icon', ''],
};

function member() {
  const membership = {
    id: '5eed0000-0000-4000-8000-0000000000b0',
    productType: 'community',
    isKnown: true,
    isActive: true,
    communityId: COMMUNITY,
  };
  return {
    signedIn: true,
    user: { sub: 'ada', email: 'ada@example.com' },
    memberships: [membership],
    expiresAt: Date.now() + 3600_000,
  };
}

/** Serves a site as its web server does: the kit's paths and the script, and all else from the framework. */
async function openFront(port: number) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const script = join(WIDGET, pathname);
    const answer = ANSWERS[pathname];
    if (answer) {
      const [status, type, body] = answer(/signed-in/.test(`${request.headers.cookie}`));
      response.writeHead(status, { 'content-type': type }).end(body);
    } else if (/^\/latchkey[\w-]*\.js$/.test(pathname))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(script));
    else forward(request, response, port);
  });
  server.on('upgrade', (request, socket) => {
    const lines = request.rawHeaders.map((text, index) => text + (index % 2 ? '\r\n' : ': ')).join('');
    const onward = connect(port, '127.0.0.1');
    onward.write(`GET ${request.url} HTTP/1.1\r\n${lines}\r\n`);
    for (const end of [onward, socket]) end.on('error', () => socket.destroy());
    onward.pipe(socket).pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends a request on, as a web server does. */
function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const onward = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}

/** Records what happens to the page's own markup since it was parsed. Runs in the page, before its scripts. */
function watch(): void {
  const changes: string[] = [];
  Object.assign(window, { changes });
  new MutationObserver((records) => {
    for (const { type, target, attributeName, oldValue, removedNodes } of records) {
      const element = target as Element;
      const isOurs =
        type === 'attributes' &&
        element.matches('latchkey-login, latchkey-gate') &&
        // The development server's toolbar removes its own attributes.
        !attributeName?.startsWith('data-astro-source');
      // Svelte writes the attributes once more.
      if (isOurs && element.getAttribute(`${attributeName}`) !== oldValue)
        changes.push(`${element.localName} ${attributeName}`);
      for (const node of removedNodes) {
        const isPage =
          element.closest('main') || (node instanceof Element && node.matches('main, :has(main)'));
        if (isPage && node instanceof Element) changes.push(`${node.localName} removed`);
      }
    }
  }).observe(document, { attributes: true, attributeOldValue: true, childList: true, subtree: true });
}

/** Opens pages of a site, and records what their consoles warn about. */
async function visitor(page: Page, origin: string, isSignedIn: boolean) {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`${error}`));
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) problems.push(message.text());
  });
  await page.addInitScript(watch);
  if (isSignedIn) await page.context().addCookies([{ name: 'signed-in', value: 'true', url: origin }]);
  const login = page.locator('latchkey-login').first();
  return {
    problems,
    changes: () => page.evaluate<string[]>('changes'),
    /** Asserts that all elements show the state of the visitor. */
    async expectState() {
      await expect(
        login.getByRole('button', { name: isSignedIn ? 'ada@example.com' : 'Sign in' }),
      ).toBeVisible();
      for (const gate of await page.locator('latchkey-gate').all())
        await expect(gate).toHaveJSProperty('state', isSignedIn ? 'open' : 'signed-out');
      for (const text of ['Members see this.', 'Recipes'])
        await expect(page.getByText(text)).toBeVisible({ visible: isSignedIn });
      await expect(page.getByText('This part is for members.').first()).toBeHidden();
    },
  };
}

/** Keeps back the scripts of the framework until the elements know the visitor, so that it hydrates late. */
async function hydrateLate(page: Page): Promise<void> {
  let hydrate = () => {};
  const mayHydrate = new Promise<void>((resolve) => {
    hydrate = resolve;
  });
  await page.route(
    ({ pathname }) => !pathname.startsWith('/latchkey'),
    async (route) => {
      if (route.request().resourceType() === 'script') await mayHydrate;
      await route.fallback();
    },
  );
  page.on('response', async (response) => {
    if (!response.url().endsWith('/auth/session')) return;
    await response.finished();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    hydrate();
  });
}

const run = promisify(exec);

// One installation is for all tests.
test.describe.configure({ mode: 'default' });
let sites = '';
test.beforeAll(async () => {
  test.setTimeout(INSTALL_MS);
  sites = mkdtempSync(join(tmpdir(), 'latchkey-frameworks-'));
  cpSync(join(import.meta.dirname, 'frameworks'), sites, { recursive: true });
  const packed = join(sites, 'packed');
  await pack(packed);
  await dependByPath(packed);
  const options = '--ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=5';
  await run(`npm install ${options} ${join(packed, 'widget.tgz')}`, { cwd: sites }).catch((cause) => {
    throw new Error('npm could not install the frameworks. These tests need the npm registry.', { cause });
  });
});
test.afterAll(() => rmSync(sites, { recursive: true, force: true }));

for (const [name, { swapped, ...commands }] of Object.entries(FRAMEWORKS)) {
  test.describe(name, () => {
    for (const [mode, line] of Object.entries(commands)) {
      test.describe(mode, () => {
        let site: Awaited<ReturnType<typeof openFront>>;
        let command: RunningCommand;
        test.beforeAll(async ({ browser }) => {
          test.setTimeout(INSTALL_MS);
          const port = await freePort();
          command = commandIn(sites, `cd ${name} && ${line}`, { PORT: `${port}`, HOST: '127.0.0.1' });
          site = await openFront(port);
          const page = await browser.newPage();
          // A development server bundles the package at the first visit, and may have to load the page again.
          await expect(async () => {
            expect((await page.goto(site.origin))?.status()).toBe(200);
            await expect(page.getByRole('button', { name: 'Sign in' }).first()).toBeVisible({
              timeout: 20_000,
            });
          })
            .toPass({ timeout: INSTALL_MS })
            .catch((cause) => {
              throw new Error(`${line} printed:\n${command.printed()}`, { cause });
            });
          await page.close();
        });
        test.afterAll(async () => {
          site.close();
          await command.stop();
        });

        for (const isSignedIn of [true, false]) {
          const visits = isSignedIn ? 'signed in' : 'signed out';
          if (swapped) {
            test(`${name} replaces the elements ${visits}`, async ({ page }) => {
              const { problems, changes, expectState } = await visitor(page, site.origin, isSignedIn);
              for (const path of swapped) {
                await page.goto(site.origin + path);
                await expectState();
                expect(await changes(), path).toEqual([]);
                const before = page.url();
                await page.evaluate('wasLoadedBefore = true');
                await page.getByRole('link', { name: 'Other page' }).click();
                await page.waitForURL((url) => url.href !== before);
                await expectState();
                expect(await page.evaluate('wasLoadedBefore')).toBe(true);
                expect(problems, path).toEqual([]);
              }
            });
            continue;
          }
          test(`${name} hydrates the elements ${visits}`, async ({ page }) => {
            const { problems, changes, expectState } = await visitor(page, site.origin, isSignedIn);
            for (const path of ['/', '/script']) {
              if (path === '/script') await hydrateLate(page);
              await page.goto(site.origin + path);
              await expectState();
              const button = page.getByRole('button', { name: 'Pressed' });
              // The server's markup does nothing until the framework has hydrated it.
              await expect(async () => {
                await button.click();
                await expect(button).toHaveText(/[1-9]/, { timeout: 100 });
              }).toPass();
              await expectState();
              expect([...problems, ...(await changes())], path).toEqual([]);
            }
          });
        }
      });
    }
  });
}
