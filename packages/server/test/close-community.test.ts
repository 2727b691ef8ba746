import { DAY_MS as DAY, PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { findCheckout } from '../src/features/checkout/checkouts.js';
import { dueRenewals } from '../src/features/checkout/due-renewals.js';
import { settleRenewal } from '../src/features/checkout/renew-subscriptions.js';
import { settlePayment } from '../src/features/checkout/settle-payment.js';
import { endMemberships, storeClosing } from '../src/features/community-closing/close-community.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { callWithKey } from './api-key-requests.js';
import { callBuyPlan, it, openCheckout, payFor } from './checkout-world.js';
import { textOf } from './pages/page-document.js';
import { acceptInvitation, COMMUNITY, errorsIn, invitationsIn, noticeIn, sellerOf } from './seller-area.js';
import { START } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const CLOSE = `${COMMUNITY}/close`;
const CONFIRMED = { confirmation: community.name };
const MINUTE = 60_000;

describe('closing a community', () => {
  it('is for its owners, and only with its name', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(`${COMMUNITY}/roles`, { email: users.ben.email, role: 'ADMIN' });
    await acceptInvitation(service, users.ben.email);
    const ben = await sellerOf(service, users.ben.email);
    expect((await ben.get(CLOSE)).status).toBe(403);
    expect((await ben.post(CLOSE, CONFIRMED)).status).toBe(403);
    expect((await (await sellerOf(service, users.ada.email)).post(CLOSE, CONFIRMED)).status).toBe(404);
    expect(errorsIn(await dana.refused(CLOSE, { confirmation: 'yes' }))).toEqual([
      '#confirmation Enter the name of the community as it is written above.',
    ]);
    const open = db.selectFrom('communities').select('closed_at').where('id', '=', community.id);
    expect(await open.executeTakeFirst()).toEqual({ closed_at: null });
  });

  it('ends memberships and subscriptions at once with their events, and says so before', async ({
    service,
    db,
  }) => {
    await payFor(service, { email: users.ben.email, pricingPlanId: plans.monthly.id });
    const dana = await sellerOf(service);
    await dana.submit(`${COMMUNITY}/members`, { email: users.finn.email, validFrom: '', validUntil: '' });
    const notes = textOf(await dana.page(CLOSE), '.notes');
    expect(notes).toMatch(/\d memberships end at once/);
    expect(notes).toContain('1 subscription is cancelled at once');
    const before = await db.selectFrom('webhook_events').select('id').execute();
    const home = await dana.submit(CLOSE, CONFIRMED);
    expect(noticeIn(home)).toBe('Community closed. Its memberships and subscriptions have ended.');
    expect(textOf(home, 'main')).not.toContain(community.name);
    const rows = await db
      .selectFrom('memberships')
      .selectAll()
      .where('community_id', '=', community.id)
      .execute();
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      expect(row.valid_until).toBeLessThanOrEqual(service.clock.now());
      if (row.subscription_id !== null) expect(row.subscription_cancelled_at).not.toBeNull();
    }
    const events = await db.selectFrom('webhook_events').selectAll().execute();
    const ended = events.filter(({ id }) => !before.some((event) => event.id === id));
    expect(ended.length).toBeGreaterThan(1);
    for (const { type, body } of ended) {
      expect(type).toBe('membership.updated');
      expect(JSON.parse(body).data.membership.isActive).toBe(false);
    }
    const delivered = db.selectFrom('webhook_deliveries').select('event_id');
    const deliveries = (await delivered.execute()).map(({ event_id }) => event_id);
    for (const { id } of ended) expect(deliveries).toContain(id);
    const audit = db.selectFrom('audit_entries').select(['action', 'actor_id']).orderBy('id');
    expect(await audit.execute()).toContainEqual({ action: 'community.close', actor_id: users.dana.id });
    service.clock.set(START + 60 * DAY);
    await service.server.runBackgroundWork();
    const payments = db.selectFrom('payments').select('id').where('community_id', '=', community.id);
    expect(await payments.execute()).toHaveLength(1);
  });

  it('withdraws invitations, hides all pages of sellers, and shows buyers a page that says so', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    await dana.submit(`${COMMUNITY}/roles`, { email: users.ben.email, role: 'OWNER' });
    const ben = await sellerOf(service, users.ben.email);
    const [invitation = ''] = invitationsIn(await ben.page('/account'));
    await dana.submit(CLOSE, CONFIRMED);
    expect(invitationsIn(await ben.page('/account'))).toEqual([]);
    expect((await ben.post('/account/invitations/accept', { invitation })).status).toBe(404);
    for (const page of [
      '',
      '/members',
      '/plans',
      '/drops',
      '/sales',
      '/roles',
      '/brand',
      '/close',
      '/members/new',
    ]) {
      expect([page, (await dana.get(`${COMMUNITY}${page}`)).status]).toEqual([page, 404]);
    }
    for (const [form, fields] of [
      ['/name', { name: 'Again' }],
      ['/close', CONFIRMED],
      ['/members', { email: users.finn.email, validFrom: '', validUntil: '' }],
    ] as const) {
      expect([form, (await dana.post(`${COMMUNITY}${form}`, fields)).status]).toEqual([form, 404]);
    }
    expect(textOf(await dana.page('/account'), 'main')).not.toContain('Leave role');
    const shop = await ben.get(`/communities/${community.id}`);
    expect([shop.status, await shop.text()]).toEqual([
      410,
      expect.stringContaining('This community is closed'),
    ]);
    await ben.post(`/communities/${community.id}/buy`, { plan: plans.monthly.id });
  });

  it('ends all sales: checkouts are refused, and API keys find no such community', async ({
    service,
    db,
  }) => {
    const path = await openCheckout(service, { email: users.ben.email });
    const secret = path.split('/').at(-1) ?? '';
    const checkout = await findCheckout(db, secret);
    await (await sellerOf(service)).submit(CLOSE, CONFIRMED);
    const browser = service.browser();
    const page = await (await browser.get(path)).text();
    expect(page).toContain('This is no longer for sale');
    await browser.post(`${path}/pay`, { terms: 'x', method: 'card-4242' });
    expect((await callBuyPlan(service, {})).status).toBe(404);
    const { id: communityId } = community;
    for (const call of [
      {
        path: PATHS.provisionExternal,
        json: { communityId, email: users.ben.email, externalOrderId: 'order-1' },
      },
      { path: PATHS.dropSignup, json: { communityId, email: 'zoe@example.com' } },
      {
        path: PATHS.checkMessenger.replace('{communityId}', communityId).replace('{messengerUserId}', '1001'),
      },
    ]) {
      const { status, body } = await callWithKey(service, call);
      expect([call.path, status, body]).toMatchObject([
        call.path,
        404,
        { success: false, errorCode: 'not_found' },
      ]);
    }
    // A payment that was on its way is stored without access, so that it can be refunded.
    if (checkout?.offer === undefined) throw new Error('The checkout was open.');
    const order = { orderId: 'late', method: 'card-4242', reference: null };
    const payer = { isBuyer: false, startsNow: false };
    const paid = { ...checkout, ...order, offer: checkout.offer, payer };
    const charged = { provider: 'simulated', reference: 'late' };
    const late = await settlePayment(db, { checkout: paid, charged }, service.clock.now());
    expect(late.kind).toBe('no-access');
    const running = db
      .selectFrom('memberships')
      .select('id')
      .where('community_id', '=', communityId)
      .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', service.clock.now())]));
    expect(await running.execute()).toEqual([]);
  });

  it('ends all renewals, also before it has ended all memberships: nothing is charged, and a charge under way is refunded', async ({
    service,
    db,
  }) => {
    await payFor(service, { email: users.ben.email, pricingPlanId: plans.monthly.id });
    const now = START + 30 * DAY - MINUTE;
    const listed = () => dueRenewals(db, { isFree: false, now }).execute();
    const [due] = await listed();
    await inTransaction(db, (transaction) => storeClosing(transaction, community.id, now));
    expect(await listed()).toEqual([]);
    if (due === undefined) throw new Error('No renewal was due.');
    const result = { kind: 'paid', reference: 'late' } as const;
    expect(await settleRenewal(db, { due, result, provider: 'simulated' }, now)).toMatchObject({
      kind: 'no-access',
    });
  });

  it('lets its last owner delete the account', async ({ service }) => {
    const { operator } = service.server;
    const { id } = await operator.createUser({ email: 'olive@example.com' });
    const { id: communityId } = await operator.createCommunity({ name: 'Tea Club', ownerId: id });
    const olive = await sellerOf(service, 'olive@example.com');
    const resign = `/account/roles/${communityId}/resign`;
    const refused = await olive.refused(resign, {}, 409);
    expect(refused(`a[href="/seller/communities/${communityId}/close"]`)).toHaveLength(1);
    await expect(operator.deleteUser({ id })).rejects.toMatchObject({ code: 'conflict' });
    await olive.submit(`/seller/communities/${communityId}/close`, { confirmation: 'Tea Club' });
    expect((await olive.post(resign)).status).toBe(404);
    await expect(operator.deleteUser({ id })).resolves.toEqual({ id });
  });

  it('goes on where a crash has ended it, and clears what nobody needs after 30 days', async ({
    service,
    db,
  }) => {
    const { id } = community;
    const now = service.clock.now();
    await inTransaction(db, (transaction) => storeClosing(transaction, id, now));
    const running = db
      .selectFrom('memberships')
      .select('id')
      .where('community_id', '=', id)
      .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', now + MINUTE)]));
    expect(await running.execute()).not.toEqual([]);
    service.clock.advance(MINUTE);
    await service.server.runBackgroundWork();
    expect(await running.execute()).toEqual([]);
    expect(await endMemberships(db, id, { now: now + MINUTE, batches: 1 })).toBe(0);
    const left = async () =>
      await Promise.all(
        (
          ['community_roles', 'webhooks', 'drop_slots', 'community_emails', 'messenger_accounts'] as const
        ).map(
          async (table) =>
            (await db.selectFrom(table).select('community_id').where('community_id', '=', id).execute())
              .length,
        ),
      );
    expect((await left())[0]).toBeGreaterThan(0);
    service.clock.set(now + 29 * DAY);
    await service.server.runBackgroundWork();
    expect((await left())[0]).toBeGreaterThan(0);
    service.clock.set(now + 31 * DAY);
    await service.server.runBackgroundWork();
    expect(await left()).toEqual([0, 0, 0, 0, 0]);
    const kept = await db.selectFrom('memberships').select('id').where('community_id', '=', id).execute();
    expect(kept.length).toBeGreaterThan(0);
    const row = db.selectFrom('communities').select('cleared_at').where('id', '=', id);
    expect((await row.executeTakeFirst())?.cleared_at).toBe(now + 31 * DAY);
  });

  it('is a call of the operator, too, and nothing in it changes afterwards', async ({ service }) => {
    const { operator } = service.server;
    const { id } = community;
    await operator.end('communities', id);
    expect((await operator.find('communities', id)).record.closedAt).not.toBeNull();
    const conflict = { code: 'conflict', message: expect.stringContaining('closed') };
    await expect(operator.end('communities', id)).rejects.toMatchObject(conflict);
    await expect(operator.change('communities', id, { name: 'Other' })).rejects.toMatchObject(conflict);
    await expect(operator.change('plans', plans.monthly.id, { name: 'Other' })).rejects.toMatchObject(
      conflict,
    );
    const gone = { code: 'not_found' };
    const grant = { userId: users.ben.id, productType: 'community', communityId: id } as const;
    await expect(operator.grantMembership(grant)).rejects.toMatchObject(gone);
    const role = { communityId: id, userId: users.ben.id, role: 'ADMIN' } as const;
    await expect(operator.assignRole(role)).rejects.toMatchObject(gone);
    const signup = { communityId: id, email: 'late@example.com' };
    await expect(operator.create('signups', signup)).rejects.toMatchObject(gone);
    const webhook = { communityId: id, ownerId: users.dana.id, url: 'https://shop.example/webhooks' };
    await expect(operator.createWebhook(webhook)).rejects.toMatchObject(gone);
  });
});
