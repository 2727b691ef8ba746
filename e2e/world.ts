import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DemoOptions, startDemo } from '@latchkey/demo';
import { sandboxScenario } from '@latchkey/sandbox';
import { createManualClock } from '@latchkey/server';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { type AttackerSite, openAttackerSite } from './attacker-site.js';
import { test as base } from './calm-press.js';
import { openShop, type Shop, type ShopOptions } from './shop.js';

type Demo = Awaited<ReturnType<typeof startDemo>>;

/** The sandbox service and both shops, running on free ports, with a clock that only the test moves. */
export interface World extends Demo {
  clock: ReturnType<typeof createManualClock>;
  /** Serves one page on a new origin that no client allows yet. The page may contain its own origin. */
  site(html: (origin: string) => string): Promise<Site>;
  /** Redirects every request to this address, from a new origin. */
  redirect(location: string): Promise<Site>;
  /** Opens a shop with the widget and its own client, under the strictest policy. */
  shop(options?: ShopOptions): Promise<Shop>;
  /** Opens an attacker's page that records everything it receives. */
  attacker(html: (origin: string) => string): Promise<AttackerSite>;
}

export interface Site {
  url: string;
  origin: string;
}

/** Settings of a file's tests, by `test.use`. */
export interface WorldOptions {
  /**
   * Names of the service.
   * @default those of the spec
   */
  serviceNames: DemoOptions['serviceNames'];
}

export const test = base.extend<{ world: World } & WorldOptions>({
  serviceNames: [undefined, { option: true }],
  world: async ({ serviceNames }, use) => {
    const clock = createManualClock(Date.now());
    const demo = await startDemo({
      ...{ servicePort: 0, scriptTagPort: 0, backendPort: 0, clock, quiet: true },
      ...(serviceNames && { serviceNames }),
    });
    const sites: Server[] = [];
    const opened: { close(): void }[] = [];
    const closeAtEnd = async <T extends { close(): void }>(opening: Promise<T>): Promise<T> => {
      const site = await opening;
      opened.push(site);
      return site;
    };
    const listen = async (answer: (response: ServerResponse, origin: string) => void): Promise<Site> => {
      let origin = '';
      const site = createServer((_request, response) => answer(response, origin));
      sites.push(site);
      await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
      origin = `http://localhost:${(site.address() as AddressInfo).port}`;
      return { url: `${origin}/`, origin };
    };
    await use({
      ...demo,
      clock,
      site: (html) =>
        listen((response, origin) => {
          response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(origin));
        }),
      redirect: (location) => listen((response) => response.writeHead(302, { location }).end()),
      shop: (options) => closeAtEnd(openShop({ service: demo.service, clock }, options)),
      attacker: (html) => closeAtEnd(openAttackerSite(html)),
    });
    for (const site of opened) site.close();
    for (const site of sites) {
      site.closeAllConnections();
      site.close();
    }
    await demo.close();
  },
});

export { expect };

/** Returns the page's own login element. A closed gate contains another one. */
export function loginOf(page: Page) {
  return page.locator('latchkey-login').first();
}

/** Returns the login element's main button. */
export function signInButton(page: Page) {
  return loginOf(page).getByRole('button', { name: /sign in/i });
}

/** Clicks the widget's button and returns the popup. */
export async function openPopup(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await signInButton(page).click();
  const popup = await opened;
  await waitForService(popup);
  return popup;
}

/** A site that hides its address from the service gets there by a page that goes on at once. */
export async function waitForService(popup: Page): Promise<void> {
  await popup.waitForLoadState();
  await expect(popup).not.toHaveTitle('One moment');
  await popup.waitForLoadState();
}

/** Picks a seeded user on the sign-in page. */
export async function pickUser(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: email }).click();
}

/** Signs in at the service as a seeded user, by the request of the sandbox's button. Opens no page. */
export async function signInAtService(
  page: Page,
  { service: { baseUrl } }: { service: { baseUrl: string } },
  name: string,
): Promise<void> {
  const { email } = Object.values(sandboxScenario.users).find((user) => user.name === name) ?? {};
  const userAgent = await page.evaluate(() => navigator.userAgent);
  const response = await page.request.post(`${baseUrl}/sandbox/sign-in`, {
    headers: { origin: baseUrl, 'user-agent': userAgent },
    form: { email: `${email}` },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(303);
}

/** Signs in through the popup as a seeded user and consents. */
export async function signInWithPopup(page: Page, email: string): Promise<void> {
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await pickUser(popup, email);
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
}

/** Signs in by redirect as a seeded user and consents. */
export async function signInByRedirect(page: Page, email: string): Promise<void> {
  await signInButton(page).click();
  await pickUser(page, email);
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** Records policy violations and uncaught errors on all pages of the browser, from now on. */
export async function recordPageErrors(context: BrowserContext): Promise<string[]> {
  const pageErrors: string[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      // biome-ignore lint/suspicious/noConsole: how the page tells the test.
      console.error(`Content Security Policy: ${violatedDirective} stopped ${blockedURI}`);
    });
  });
  context.on('console', (message) => {
    if (/Content.Security.Policy|Trusted/i.test(message.text())) pageErrors.push(message.text());
  });
  context.on('weberror', (error) => pageErrors.push(String(error.error())));
  return pageErrors;
}

/** Records the browser's requests to the service as `METHOD path`, from now on. */
export function recordRequests(context: BrowserContext, origin: string): string[] {
  const seen: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin === origin) seen.push(`${request.method()} ${url.pathname}`);
  });
  return seen;
}
