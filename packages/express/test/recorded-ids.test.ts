import { randomUUID } from 'node:crypto';
import { LatchkeyClient } from '@latchkey/client';
import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryDirectory, recordingClient } from '../src/index.js';
import { signWebhook } from '../src/testing/index.js';
import { Browser } from './browser.js';
import { COMMUNITY, SHOP_MEMBERS } from './community-directory.js';
import { DAY } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

const SECRET = '5ec2e7'.repeat(10).concat('abcd');
const HINT =
  'see membership-id-shared at https://github.com/latchkey/latchkey/blob/main/docs/live-service.md';

let shop: Shop;
beforeEach(async () => {
  shop = await startShop({
    options: { directory: memoryDirectory() },
    routes: (app, auth) => {
      app.use(auth.router);
      app.get('/', (_request, response) => void response.send('Hello'));
      app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) => {
        response.send('The table is set');
      });
      app.all('/webhooks', auth.webhooks({ communities: { [COMMUNITY]: SECRET } }));
    },
  });
  shop.log.length = 0;
});
afterEach(() => shop.close());

/** Opens the members' page as a new visitor. Resolves with the status and the messages about it. */
async function visit(memberships = [fakeMembership()]) {
  const browser = new Browser();
  await shop.signIn(fakeUser('ada@example.com', memberships), { browser });
  shop.log.length = 0;
  const { status } = await browser.request(`${shop.url}/members`);
  return { status, log: shop.log.map(({ message }) => message).join('\n') };
}

const deliver = (membershipId: string) =>
  fetch(
    `${shop.url}/webhooks`,
    signWebhook({ type: 'membership.created', data: { membershipId } }, { secret: SECRET }),
  );

describe('the log of an unknown membership', () => {
  it('names the assumption about ids if no visitor has a membership that a webhook recorded', async () => {
    expect((await visit()).log).not.toContain(HINT);
    await deliver(randomUUID());
    const { status, log } = await visit();
    expect(status).toBe(403);
    expect(log).toContain(HINT);
    expect(log).toContain("No visitor's list has contained the membership that this process recorded");
    await deliver(randomUUID());
    expect((await visit()).log).toContain('contained any of the 2 memberships');
  });

  it('names it after a provisioning too', async () => {
    const client = new LatchkeyClient({
      serviceUrl: shop.service.url,
      apiKey: 'svc_of_the_shop',
      fetch: async () => Response.json({ success: true, data: { membershipId: randomUUID() } }),
    });
    const { directory } = shop.auth;
    if (directory === undefined) throw new Error('The shop has a directory.');
    await recordingClient(client, directory).provisionExternal({
      communityId: COMMUNITY,
      externalOrderId: 'order 1',
      email: 'ada@example.com',
    });
    expect((await visit()).log).toContain(HINT);
  });

  it('does not name it any more once a visitor has had such a membership, in any letter case', async () => {
    const bought = fakeMembership();
    await deliver(bought.id.toUpperCase());
    await deliver(randomUUID());
    expect((await visit()).log).toContain(HINT);
    expect((await visit([bought])).status).toBe(200);
    expect((await visit()).log).not.toContain(HINT);
  });

  it('does not name it for imports, and not a day later', async () => {
    await shop.auth.directory?.import([{ membershipId: randomUUID(), communityId: COMMUNITY }]);
    expect((await visit()).log).not.toContain(HINT);
    await deliver(randomUUID());
    shop.clock.advance(DAY);
    expect((await visit()).log).not.toContain(HINT);
  });
});
