import { createServer } from 'node:http';
import { PUBLIC_CLIENT } from '@latchkey/conformance/scripted-service';
import { afterEach, expect, it, vi } from 'vitest';
import { latchkey } from '../src/index.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { listen } from './listen.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
afterEach(() => shop.close());

const UNKNOWN = `oac_${'0'.repeat(24)}`;

/** Creates an instance beside the shop. Returns its log after it has asked the service. */
async function logOf(options: { clientId?: string; serviceUrl?: string }) {
  const log: { message: string; details: unknown }[] = [];
  const write = (message: string, details: unknown) => log.push({ message, details });
  const answered = vi.fn();
  latchkey({
    serviceUrl: shop.service.url,
    clientId: `oac_${'a'.repeat(24)}`,
    appUrl: shop.url,
    cookieSecret: COOKIE_SECRET,
    logger: { warn: write, error: write },
    fetch: (...request) => fetch(...request).finally(answered),
    ...options,
  });
  await vi.waitFor(() => expect(answered).toHaveBeenCalled(), 20_000);
  await new Promise((settled) => setTimeout(settled, 20));
  return { log };
}

it('a client that the service does not know is logged at the start, with the settings to compare', async () => {
  shop = await startShop();
  const { log } = await logOf({ clientId: UNKNOWN });
  expect(log).toEqual([
    {
      message: expect.stringMatching(/does not know this client.*Compare clientId and serviceUrl/),
      details: { clientId: UNKNOWN, serviceUrl: shop.service.url },
    },
  ]);
});

it('a service that is away at the start is not logged', async () => {
  shop = await startShop();
  expect((await logOf({ serviceUrl: 'http://127.0.0.1:9' })).log).toEqual([]);
});

it('something else at serviceUrl is logged at the start, with what it answers', async () => {
  shop = await startShop();
  const server = createServer(({ url }, response) => {
    if (url?.startsWith('/moved/')) response.writeHead(301, { location: 'https://www.service.example/' });
    else response.writeHead(404, { 'content-type': 'text/html' });
    response.end('<h1>Not here</h1>');
  });
  const other = await listen(server);
  for (const [path, answer] of [
    ['', '404 and text/html'],
    ['/moved', '301'],
  ]) {
    const { log } = await logOf({ serviceUrl: `${other.url}${path}` });
    expect(log).toEqual([
      {
        message: expect.stringMatching(/other than the service answers at serviceUrl/),
        details: expect.objectContaining({ message: expect.stringContaining(`responded with ${answer}`) }),
      },
    ]);
  }
  await other.close();
});

it('a known client is not logged', async () => {
  shop = await startShop();
  expect((await logOf({ clientId: PUBLIC_CLIENT })).log).toEqual([]);
});

it('no request is sent with checkClientAtStart: false', async () => {
  shop = await startShop();
  const sent = vi.fn();
  latchkey({
    serviceUrl: shop.service.url,
    clientId: UNKNOWN,
    appUrl: shop.url,
    cookieSecret: COOKIE_SECRET,
    checkClientAtStart: false,
    fetch: sent,
  });
  await new Promise((settled) => setTimeout(settled, 20));
  expect(sent).not.toHaveBeenCalled();
});
