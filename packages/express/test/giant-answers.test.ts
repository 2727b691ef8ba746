import { afterEach, expect, it } from 'vitest';
import { fakeMembership, fakeUser } from './fake-service.js';
import { HOUR } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
afterEach(() => shop.close());

/** A service that answers on one path with more than anybody wants to read. */
async function startWithGiantAt(path: string) {
  const giant = { isAwake: false, asked: 0, taken: 0, givenUp: 0 };
  shop = await startShop({
    options: {
      fetch: async (input, init) => {
        if (!giant.isAwake || !String(input).endsWith(path)) return fetch(input, init);
        giant.asked += 1;
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            giant.taken += 65_536;
            controller.enqueue(new Uint8Array(65_536));
            if (giant.taken > 100_000_000) controller.close();
          },
          cancel: () => {
            giant.givenUp += 1;
          },
        });
        return new Response(body, { headers: { 'content-type': 'application/json' } });
      },
    },
  });
  await shop.signIn(fakeUser('ada@example.com', [fakeMembership()]));
  giant.isAwake = true;
  return giant;
}

it.each(['/oauth/memberships', '/oauth/token'])(
  'an answer without an end to %s is given up early, counts as an outage, and the log names it',
  async (path) => {
    const giant = await startWithGiantAt(path);
    shop.clock.advance(HOUR);
    expect(await shop.browser.request(`${shop.url}/members`)).toMatchObject({
      status: 503,
      json: { error: 'service_unavailable' },
    });
    expect(giant).toMatchObject({ asked: 1, givenUp: 1 });
    expect(giant.taken).toBeLessThan(2_000_000);
    expect(JSON.stringify(shop.log)).toContain('answer_too_large');
  },
);
