// The two sites of a sign-in, each on a port of its own: a shop with a page per contestant, and as much of the service as
// the flow needs. Nobody has to press anything at the service, and every answer takes the same while.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const dist = new URL('../dist/', import.meta.url);
const CONTENT_TYPES = { js: 'text/javascript', html: 'text/html; charset=utf-8' };
const user = { sub: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0001', email: 'ada@example.com' };
const membership = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0002',
  productType: 'community',
  isActive: true,
  validFrom: '2025-01-01T00:00:00.000Z',
};
const tokens = {
  access_token: 'a'.repeat(43),
  refresh_token: 'r'.repeat(43),
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'memberships.read',
};

/** The machine's clock, in milliseconds, as `performance.timeOrigin + performance.now()` gives it in a page. */
const now = () => performance.timeOrigin + performance.now();

/**
 * Starts both.
 * @param {{ latency: number, pages: Record<string, (service: string) => string>, scripts: Record<string, URL> }} options
 *   `latency`: milliseconds of every answer; `pages`: of the shop, by path; `scripts`: more files of the service, by path
 * @returns its addresses, and `requests`: what reached the service, each with its method, path, and first and last moment
 */
export async function startSites({ latency, pages, scripts }) {
  const requests = [];
  const service = await listen(async (request, response) => {
    const url = new URL(request.url, 'http://service');
    const seen = { method: request.method, path: url.pathname, from: now(), to: Number.NaN };
    requests.push(seen);
    request.resume();
    await pause(latency);
    const { status = 200, type = 'application/json', location, body } = await answer(request.method, url);
    response.writeHead(status, {
      'content-type': type,
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization',
      ...(location && { location }),
    });
    response.end(body);
    seen.to = now();
  });
  const serviceUrl = `http://127.0.0.1:${service.address().port}`;
  const shop = await listen(async (request, response) => {
    await pause(latency);
    const page = pages[request.url];
    response.writeHead(page ? 200 : 404, { 'content-type': CONTENT_TYPES.html });
    response.end(page?.(serviceUrl));
  });

  async function answer(method, { pathname, searchParams }) {
    if (method === 'OPTIONS') return { status: 204 };
    if (scripts[pathname]) return { type: CONTENT_TYPES.js, body: await readFile(scripts[pathname]) };
    if (/^\/widget\/\w+\.js$/.test(pathname)) {
      return {
        type: CONTENT_TYPES.js,
        body: await readFile(new URL(pathname.slice('/widget/'.length), dist)),
      };
    }
    if (pathname === '/oauth/authorize') {
      const back = new URL(searchParams.get('redirect_uri'));
      back.search = String(new URLSearchParams({ code: 'the-code', state: searchParams.get('state') }));
      return { status: 302, location: back.href };
    }
    const [, client] = /^\/widget\/callback\/(\w+)$/.exec(pathname) ?? [];
    if (client) return { type: CONTENT_TYPES.html, body: callbackPage(client) };
    if (pathname.startsWith('/oauth/client/')) {
      const clientId = pathname.slice('/oauth/client/'.length);
      const data = { clientId, name: 'A shop', widgetOriginAllowed: true };
      return { body: JSON.stringify({ success: true, data }) };
    }
    if (pathname === '/oauth/token') return { status: 201, body: JSON.stringify(tokens) };
    if (pathname === '/oauth/userinfo') return { body: JSON.stringify(user) };
    if (pathname === '/oauth/memberships') return { body: JSON.stringify({ memberships: [membership] }) };
    return { status: 404, body: '{}' };
  }

  return {
    shopUrl: `http://localhost:${shop.address().port}`,
    requests,
    close() {
      for (const server of [service, shop]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** One page for both callbacks; the script is the client's own. */
function callbackPage(client) {
  const script = client === 'oac_floor' ? '/floor-callback.js' : '/widget/callback.js';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Signing in</title>
<main id="callback" data-client-id="${client}" data-base-url="/"><p id="callback-text">Finishing sign-in…</p></main>
<script src="${script}"></script></html>`;
}

async function listen(handle) {
  const server = createServer(handle);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}
