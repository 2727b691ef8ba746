import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { createRenewalWorker } from '../src/features/checkout/renew-subscriptions.js';
import type { Database } from '../src/platform/database/open-database.js';
import {
  allow,
  authorizePath,
  callResource,
  confidentialRedemption,
  confidentialRequest,
  consentFields,
  postToken,
  publicRequest,
  publicTokens,
  refreshPublic,
  signedIn,
} from './authorization-flow.js';
import { callBuyPlan, checkoutFields, METHODS, openCheckout, payFor } from './checkout-world.js';
import { inlinePayments } from './inline-payments.js';
import { postProvision } from './provision-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community } = sandboxScenario;
const DAY = 24 * 3600_000;
/** Repetitions, because the requests meet by chance. */
const ROUNDS = 8;

/** User with a membership, an invitation, an open checkout, a token pair, a code and a sign-in code. */
async function busyUser(service: ServiceUnderTest, db: Database, round: number) {
  const email = `round-${round}@example.com`;
  const { id } = await service.server.operator.createUser({ email });
  const browser = await signedIn(service, email);
  const orders = { email, externalOrderId: `order-${round}` };
  await postProvision(service, orders);
  const code = await allow(browser, confidentialRequest());
  const { refresh_token: refreshToken } = await publicTokens(service, { email });
  const invitation = `invitation-${round}`;
  await db
    .insertInto('invitations')
    .values({
      ...{ id: invitation, community_id: community.id, email, kind: 'role', role: 'ADMIN', valid_from: null },
      ...{ valid_until: null, invited_by: users.dana.id, created_at: START, expires_at: START + DAY },
      declined_at: null,
    })
    .execute();
  const checkout = await openCheckout(service, { email, externalId: `checkout-${round}` });
  const signingIn = service.browser();
  await signingIn.post('/sign-in/code', { email, continue: '/account' });
  const signInCode = service.server.mailbox?.latestFor(email)?.code ?? '';
  return { id, email, browser, orders, code, refreshToken, invitation, checkout, signingIn, signInCode };
}

describe('deletion of an account beside requests of the user', { timeout: 120_000 }, () => {
  it('ends everything that they start, and no request fails with an error of the service', async ({
    service,
    db,
  }) => {
    const statuses: number[] = [];
    const usable: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await busyUser(service, db, round);
      const { id, email, browser } = user;
      const consent = await consentFields(browser, publicRequest(service, { scope: 'products.read' }));
      const payment = await checkoutFields(service.browser(), user.checkout);
      const tokenRequests = [
        () => refreshPublic(service, user.refreshToken),
        () => postToken(service, confidentialRedemption(user.code)),
      ];
      const pageRequests = [
        () => browser.get(authorizePath(confidentialRequest())),
        () => browser.post('/oauth/consent', { ...consent, decision: 'allow' }),
        () => browser.post('/account/invitations/accept', { account: id, invitation: user.invitation }),
        () => browser.post('/account/profile', { account: id, name: 'New name' }),
        () => browser.post('/account/two-step/set-up', { account: id }),
        () =>
          browser.post('/seller/communities', { account: id, name: `Community ${round}`, currency: 'EUR' }),
        () => user.signingIn.post('/sign-in/verify', { code: user.signInCode, continue: '/account' }),
      ];
      const apiRequests = [
        () =>
          postProvision(service, { ...user.orders, externalOrderId: `next-${round}`, onOverlap: 'extend' }),
        () =>
          postProvision(service, {
            email,
            messengerUserId: 70_000 + round,
            externalOrderId: `more-${round}`,
            onOverlap: 'replace',
          }),
        () => callBuyPlan(service, { email, externalId: `later-${round}` }),
      ];
      const tokens = tokenRequests.map((send) => send());
      const pages = pageRequests.map((send) => send());
      const calls = apiRequests.map((send) => send());
      await new Promise((resolve) => setTimeout(resolve, round));
      const deleting = service.server.operator.deleteUser({ id });
      const results = await Promise.allSettled([deleting]);
      for (const response of await Promise.all([...tokens, ...pages, ...calls]))
        statuses.push(response.status);
      const isBlocked = results[0]?.status === 'rejected';
      if (isBlocked) {
        // The user founded a community just before.
        expect(results[0]).toMatchObject({ reason: { code: 'conflict' } });
        continue;
      }
      for (const response of await Promise.all(tokens)) {
        const { access_token: token } = (await response.json()) as { access_token?: string };
        if (token !== undefined && (await callResource(service, token)).status !== 401) usable.push(email);
      }
      expect((await browser.get('/account')).status).toBe(302);
      expect(await db.selectFrom('users').select('id').where('id', '=', id).execute()).toEqual([]);
      expect((await browser.post(`${user.checkout}/pay`, { ...payment, method: METHODS.card })).status).toBe(
        404,
      );
    }
    expect(usable).toEqual([]);
    expect([...new Set(statuses.filter((status) => status >= 500))]).toEqual([]);
    const active = await db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('memberships.id')
      .where('users.deleted_at', 'is not', null)
      .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', service.clock.now())]))
      .execute();
    expect(active).toEqual([]);
  });

  it('charges a renewal only if its result is stored', async ({ service, db }) => {
    const clock = service.clock;
    const charged: string[] = [];
    const worker = createRenewalWorker({
      ...{ db, clock, logger: { info() {}, warn() {}, error() {} } },
      payments: inlinePayments({
        charge: async ({ orderId }) => {
          charged.push(orderId);
          return { kind: 'paid' };
        },
      }),
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = `subscriber-${round}@example.com`;
      await payFor(service, { email, externalId: `subscription-${round}` });
      const { id } = await service.server.operator.findUser(email);
      clock.advance(30 * DAY - 1000);
      const running = worker.runOnce(new AbortController().signal);
      await new Promise((resolve) => setTimeout(resolve, round % 4));
      const [deletion] = await Promise.allSettled([service.server.operator.deleteUser({ id }), running]);
      // A charge was running.
      if (deletion.status === 'rejected') await service.server.operator.deleteUser({ id });
      await worker.runOnce(new AbortController().signal);
    }
    const payments = await db
      .selectFrom('payments')
      .select('order_id')
      .where('status', '=', 'succeeded')
      .where('reason', 'is', null)
      .execute();
    const renewals = payments.map(({ order_id }) => order_id).filter((order) => /:\d+$/.test(order ?? ''));
    expect(renewals.toSorted()).toEqual(charged.toSorted());
    expect(await db.selectFrom('charges').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('subscriptions').selectAll().execute()).toEqual([]);
  });
});
