import { endlessResponses, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, expect, it } from 'vitest';
import { HOUR } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
afterEach(() => shop.close());

/** Starts a shop and signs a user in. Then one path responds without an end. */
async function startWithGiantAt(path: string) {
  const giant = endlessResponses();
  let isAwake = false;
  let asked = 0;
  shop = await startShop({
    options: {
      fetch: async (input, init) => {
        if (!isAwake || !String(input).endsWith(path)) return fetch(input, init);
        asked += 1;
        return giant.script();
      },
    },
  });
  await shop.signIn(fakeUser('ada@example.com', [fakeMembership()]));
  isAwake = true;
  return { giant, asked: () => asked };
}

it.each([
  { path: '/oauth/memberships', limit: 16_000_000 },
  { path: '/oauth/token', limit: 1_000_000 },
])('an endless response of $path is aborted, counts as an outage and is logged', async ({ path, limit }) => {
  const { giant, asked } = await startWithGiantAt(path);
  shop.clock.advance(HOUR);
  expect(await shop.browser.request(`${shop.url}/members`)).toMatchObject({
    status: 503,
    json: { error: 'service_unavailable' },
  });
  expect([asked(), giant.cancelled]).toEqual([1, 1]);
  expect(giant.bytesRead).toBeLessThan(limit + 1_000_000);
  expect(JSON.stringify(shop.log)).toContain('answer_too_large');
});
