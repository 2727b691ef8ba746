import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  callerProfile,
  type Performers,
  startScriptedService,
  testCaller,
} from '@latchkey/conformance/caller';
import { type Browser, expect, type Page } from '@playwright/test';
import { test } from './calm-press.js';
import { LONG } from './levels.js';
import { loginOf, signInButton } from './world.js';

const FILES = dirname(fileURLToPath(import.meta.resolve('@latchkey/widget/callback.js')));

/** Visits that must not sign the visitor in. The widget waits for the right answer until the visitor gives up. */
const REFUSED = ['foreign state', 'no state', 'code rejected', 'origin refused'];
/** Milliseconds after which such a visitor gives up. */
const GIVES_UP_MS = 2_000;

/** Starts a scripted service that also hosts the widget's script and callback, as our server does. */
async function startService() {
  return await startScriptedService({
    otherPath({ path }) {
      const file = /^\/widget\/(latchkey(?:-sign-in)?|callback)\.js$/.exec(path)?.[1];
      if (file !== undefined)
        return answer('text/javascript', readFileSync(join(FILES, `${file}.js`), 'utf8'));
      const clientId = /^\/widget\/callback\/(oac_\w+)$/.exec(path)?.[1];
      return clientId === undefined ? undefined : answer('text/html', callbackPage(clientId));
    },
  });
}

function answer(type: string, body: string) {
  // The script loads its second part as a module, which another origin must allow.
  return { status: 200, headers: { 'content-type': type, 'access-control-allow-origin': '*' }, body };
}

function callbackPage(clientId: string): string {
  const ids = ['callback-title', 'callback-text', 'callback-detail', 'callback-hint'];
  return `<!doctype html><title>Signing in</title><script src="/widget/callback.js" defer></script>
    <main id="callback" data-client-id="${clientId}">${ids.map((id) => `<p id="${id}"></p>`).join('')}
    <button id="callback-close">Close</button></main>`;
}

/** Path of the site's only page without the widget. */
const ELSEWHERE = '/elsewhere';

/** A site with the widget and no backend. */
interface Site {
  origin: string;
  clientId: string;
  serviceUrl: string;
}

/** Starts a site with the widget and no backend. */
async function startSite(html: string) {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>A shop</title>${url === ELSEWHERE ? '' : html}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}

/**
 * Performs the actions in pages of a real browser, one context for each visitor. Each action opens a page and leaves it, so that
 * no page refreshes between actions.
 */
function performersOf(browser: Browser, { origin, clientId, serviceUrl }: Site): Performers {
  const pages = new WeakMap<object, Page>();
  const lock = `latchkey:${clientId}@${serviceUrl}`;

  async function open(visitor: object): Promise<Page> {
    const page = pages.get(visitor) ?? (await (await browser.newContext()).newPage());
    pages.set(visitor, page);
    await page.goto(origin);
    return page;
  }

  /**
   * Moves to a page without the widget. A page that is left during a refresh loses the answer, so this waits for the lock
   * under which the widget refreshes, and keeps it until the page is gone.
   */
  async function leave(page: Page): Promise<void> {
    const left = page.waitForURL(`${origin}${ELSEWHERE}`);
    await page.evaluate(
      ([name, path]) => {
        void navigator.locks.request(name, () => new Promise(() => location.assign(path)));
      },
      [lock, ELSEWHERE] as const,
    );
    await left;
  }

  return {
    async signIn({ browser: visitor, label }) {
      const page = await open(visitor);
      await signInButton(page).click();
      const isRefused = REFUSED.includes(label);
      const isSignedIn = await page
        .waitForFunction(isSignedInThere, undefined, { timeout: isRefused ? GIVES_UP_MS : 60_000 })
        .then(
          () => true,
          () => false,
        );
      await leave(page);
      return { isSuccess: isSignedIn };
    },
    async protectedPage({ browser: visitor }) {
      const page = await open(visitor);
      const gate = page.locator('latchkey-gate');
      const state = () => gate.evaluate((element) => (element as HTMLElement & { state?: string }).state);
      await expect.poll(state).toMatch(/open|locked|signed-out|error/);
      const isSuccess = (await state()) === 'open';
      await leave(page);
      return { isSuccess };
    },
    async account({ browser: visitor }) {
      const page = await open(visitor);
      await page.waitForFunction(isSignedInThere);
      const text = await loginOf(page).evaluate((login) => Reflect.get(login, 'user')?.sub ?? '');
      await leave(page);
      return { isSuccess: text !== '', text };
    },
    async signOut({ browser: visitor }) {
      const page = await open(visitor);
      await page.waitForFunction(isSignedInThere);
      await loginOf(page).evaluate((login) => Reflect.get(login, 'signOut').call(login));
      await expect(signInButton(page)).toBeVisible();
      await leave(page);
      return { isSuccess: true };
    },
  };
}

function isSignedInThere(): boolean {
  const login = document.querySelector('latchkey-login');
  return login !== null && Reflect.get(login, 'snapshot')?.signedIn === true;
}

// The widget's own tests prove these rules one by one in `npm test`.
test('the widget keeps the rules for callers at a service that plays every script', { tag: LONG }, async ({
  browser,
}) => {
  const service = await startService();
  const { LATCHKEY_PUBLIC_CLIENT_ID: clientId = '' } = service.environment;
  const session = `client-id="${clientId}" storage="session"`;
  const site = await startSite(
    `<script src="${service.url}/widget/latchkey.js" defer></script>
    <latchkey-login ${session}></latchkey-login>
    <latchkey-gate ${session} product-type="community"><p>Welcome</p></latchkey-gate>`,
  );
  const report = await testCaller({
    service,
    profile: callerProfile.parse({ name: 'widget' }),
    performers: performersOf(browser, { origin: site.origin, clientId, serviceUrl: service.url }),
  });
  for (const context of browser.contexts()) await context.close();
  site.close();
  await service.close();
  const idsOf = (kind: string) =>
    report.results.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id);
  expect(report.results.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
  expect(idsOf('passed')).toEqual([
    'versioning.ignore-unknown-fields',
    'retry.not-client-errors',
    'general.widget-is-public-client',
    'credentials.opaque-tokens',
    'userinfo.sub-is-the-key',
    'userinfo.email-nullable',
    'memberships.valid-until',
    'authorize.challenge-derivation',
    'authorize.state-verified',
    'token.client-secret-post',
    'token.accept-created',
    'client-identity.widget-origin-sender',
    'client-identity.origin-must-be-allowed',
    'credentials.refresh-rotates',
    'oauth-error.branch-on-error',
    'revoke.public-forgets-locally',
  ]);
});
