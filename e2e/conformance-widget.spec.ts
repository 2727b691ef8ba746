import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  callerProfile,
  type Performers,
  scriptedEnvironment,
  startScriptedService,
  testCaller,
} from '@latchkey/conformance/caller';
import { type Browser, expect, type Page, test } from '@playwright/test';
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
      const file = /^\/widget\/(latchkey|callback)\.js$/.exec(path)?.[1];
      if (file !== undefined)
        return answer('text/javascript', readFileSync(join(FILES, `${file}.js`), 'utf8'));
      const clientId = /^\/widget\/callback\/(oac_\w+)$/.exec(path)?.[1];
      return clientId === undefined ? undefined : answer('text/html', callbackPage(clientId));
    },
  });
}

function answer(type: string, body: string) {
  return { status: 200, headers: { 'content-type': type }, body };
}

function callbackPage(clientId: string): string {
  const ids = ['callback-title', 'callback-text', 'callback-detail', 'callback-hint'];
  return `<!doctype html><title>Signing in</title><script src="/widget/callback.js" defer></script>
    <main id="callback" data-client-id="${clientId}">${ids.map((id) => `<p id="${id}"></p>`).join('')}
    <button id="callback-close">Close</button></main>`;
}

/** Starts a site with the widget and no backend. */
async function startSite(html: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>A shop</title>${html}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}

/** Performs the actions in pages of a real browser, one context for each visitor. */
function performersOf(browser: Browser, origin: string): Performers {
  const pages = new WeakMap<object, Page>();
  async function pageOf(visitor: object): Promise<Page> {
    const page = pages.get(visitor) ?? (await (await browser.newContext()).newPage());
    pages.set(visitor, page);
    return page;
  }
  return {
    async signIn({ browser: visitor, label }) {
      const page = await pageOf(visitor);
      await page.goto(origin);
      await signInButton(page).click();
      const isRefused = REFUSED.includes(label);
      const isSignedIn = await page
        .waitForFunction(isSignedInThere, undefined, { timeout: isRefused ? GIVES_UP_MS : 60_000 })
        .then(
          () => true,
          () => false,
        );
      return { isSuccess: isSignedIn };
    },
    async protectedPage({ browser: visitor }) {
      const page = await pageOf(visitor);
      await page.goto(origin);
      const gate = page.locator('latchkey-gate');
      await expect(gate).toHaveAttribute('state', /open|locked|signed-out|error/);
      return { isSuccess: (await gate.getAttribute('state')) === 'open' };
    },
    async account({ browser: visitor }) {
      const page = await pageOf(visitor);
      const text = await loginOf(page).evaluate((login) => Reflect.get(login, 'user')?.sub ?? '');
      return { isSuccess: text !== '', text };
    },
    async signOut({ browser: visitor }) {
      const page = await pageOf(visitor);
      await loginOf(page).evaluate((login) => Reflect.get(login, 'signOut').call(login));
      await expect(signInButton(page)).toBeVisible();
      return { isSuccess: true };
    },
  };
}

function isSignedInThere(): boolean {
  const login = document.querySelector('latchkey-login');
  return login !== null && Reflect.get(login, 'snapshot')?.signedIn === true;
}

test('the widget keeps the rules for callers at a service that plays every script', async ({ browser }) => {
  const service = await startService();
  const { LATCHKEY_PUBLIC_CLIENT_ID: clientId } = scriptedEnvironment(service.url, service.names);
  const session = `client-id="${clientId}" storage="session"`;
  const site = await startSite(
    `<script src="${service.url}/widget/latchkey.js" defer></script>
    <latchkey-login ${session}></latchkey-login>
    <latchkey-gate ${session} product-type="community"><p>Welcome</p></latchkey-gate>`,
  );
  const report = await testCaller({
    service,
    profile: callerProfile.parse({ name: 'widget' }),
    performers: performersOf(browser, site.origin),
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
