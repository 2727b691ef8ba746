// The two sites of a sign-in, each on a port of its own: a shop with one page for each contestant, and the service with
// the callback pages. The service asks for no consent, and every response takes the same time.
import { readFile } from 'node:fs/promises';
import { fakeUser, startFakeService } from '@latchkey/conformance/scripted-service';

const dist = new URL('../dist/', import.meta.url);

/** The machine's clock in milliseconds, comparable with `performance.timeOrigin + performance.now()` of a page. */
const clock = { now: () => performance.timeOrigin + performance.now() };

/**
 * Starts both sites.
 *
 * @param {{ latency: number, pages: Record<string, (service: string) => string>, scripts: Record<string, URL> }} options
 *   `latency`: milliseconds before each response. `pages`: the shop's pages by path. `scripts`: further files of the
 *   service by path.
 * @returns the shop's address, and the requests that reached the service with their times
 */
export async function startSites({ latency, pages, scripts }) {
  const service = await startFakeService({
    clock,
    latencyMs: latency,
    credentials: 'unchecked',
    visitor: fakeUser('ada@example.com', [{}]),
    fallback: ({ path }) => hostedFile(path, scripts),
  });
  const shop = await startFakeService({
    latencyMs: latency,
    fallback: ({ path }) => pages[path] && html(pages[path](service.url)),
  });
  return {
    // Another host than the service's, so that the browser treats the two as different sites.
    shopUrl: shop.url.replace('127.0.0.1', 'localhost'),
    requests: service.requests,
    close: () => Promise.all([service.close(), shop.close()]),
  };
}

async function hostedFile(path, scripts) {
  const [, client] = /^\/widget\/callback\/(\w+)$/.exec(path) ?? [];
  if (client) return html(callbackPage(client));
  const [, name] = /^\/widget\/([\w-]+\.js)$/.exec(path) ?? [];
  const file = name ? new URL(name, dist) : scripts[path];
  const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' };
  return file && new Response(await readFile(file), { headers });
}

/** One page for both callbacks, with the contestant's own script. */
function callbackPage(client) {
  const script = client === 'oac_floor' ? '/floor-callback.js' : '/widget/callback.js';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Signing in</title>
<main id="callback" data-client-id="${client}" data-base-url="/"><p id="callback-text">Finishing sign-in…</p></main>
<script src="${script}"></script></html>`;
}

function html(body) {
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}
