import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServiceNamesOption } from '../../src/index.js';
import { exampleEvent, signWebhook } from '../../src/testing/index.js';
import { COMMUNITY, SHOP_MEMBERS } from '../community-directory.js';
import { type Shop, startShop } from '../shop.js';
import { SECRET } from './endpoint.js';

let shop: Shop;
afterEach(() => shop.close());

/** A shop that receives webhooks, with a signed-in visitor whose memberships are cached. */
async function startHearingShop(
  user: FakeUser,
  { ofShop, ofWebhooks }: { ofShop?: ServiceNamesOption; ofWebhooks?: ServiceNamesOption } = {},
): Promise<(type: 'membership.created' | 'membership.updated') => Promise<number>> {
  shop = await startShop({
    options: { serviceNames: ofShop },
    routes: (app, auth) => {
      app.use(auth.router);
      app.get('/', (_request, response) => void response.send('Hello'));
      app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) => {
        response.send('The table is set');
      });
      app.all('/webhooks', auth.webhooks({ communities: { [COMMUNITY]: SECRET }, serviceNames: ofWebhooks }));
    },
  });
  await shop.signIn(user);
  return async (type) => {
    const signed = signWebhook(exampleEvent(type, { user: { sub: user.sub }, communityId: COMMUNITY }), {
      secret: SECRET,
      serviceNames: ofWebhooks ?? ofShop ?? {},
    });
    return (await fetch(`${shop.url}/webhooks`, signed)).status;
  };
}

const open = async () => (await shop.browser.open(`${shop.url}/members`)).status;

describe('auth.webhooks()', () => {
  it('admits a new member without waiting for the cache to expire', async () => {
    const user = fakeUser('ada@example.com');
    const tell = await startHearingShop(user);
    expect(await open()).toBe(403);
    user.memberships.push(fakeMembership());
    expect(await tell('membership.created')).toBe(200);
    expect(await open()).toBe(200);
  });

  it('revokes access of a former member at once', async () => {
    const user = fakeUser('ada@example.com', [{}]);
    const tell = await startHearingShop(user);
    expect(await open()).toBe(200);
    user.memberships = [];
    expect(await open()).toBe(200);
    expect(await tell('membership.updated')).toBe(200);
    expect(await open()).toBe(403);
  });

  it.each([
    ['latchkey()', { ofShop: { headerPrefix: 'X-Acme-' } }],
    ['auth.webhooks(), which take precedence', { ofShop: { headerPrefix: 'X-Acme-' }, ofWebhooks: {} }],
  ])('reads the headers under the names of %s', async (_where, names) => {
    const tell = await startHearingShop(fakeUser('ada@example.com'), names);
    expect(await tell('membership.created')).toBe(200);
  });

  it('does not cache a response to a request that began before the event', async () => {
    const user = fakeUser('ada@example.com', [{}]);
    const tell = await startHearingShop(user);
    shop.clock.advance(61_000);
    const release = shop.service.hold('/oauth/memberships');
    const early = open();
    await expect.poll(() => shop.service.count('GET /oauth/memberships')).toBe(2);
    user.memberships = [];
    await tell('membership.updated');
    release();
    expect(await early).toBe(200);
    expect(await open()).toBe(403);
  });

  it('rejects unsigned requests, which do not drop the cache', async () => {
    const user = fakeUser('ada@example.com', [{}]);
    await startHearingShop(user);
    const { headers, ...rest } = signWebhook(
      exampleEvent('membership.updated', { user: { sub: user.sub }, communityId: COMMUNITY }),
      {
        secret: 'a'.repeat(64),
      },
    );
    expect((await fetch(`${shop.url}/webhooks`, { headers, ...rest })).status).toBe(401);
    user.memberships = [];
    expect(await open()).toBe(200);
  });
});
