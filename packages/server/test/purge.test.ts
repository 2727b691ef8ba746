import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { Schema } from '../src/migrations/schema.js';
import type { Database } from '../src/platform/database/open-database.js';
import { fillIn } from './area-forms.js';
import {
  callResource,
  errorOf,
  postToken,
  publicCode,
  publicRedemption,
  refreshPublic,
  signedIn,
  type TokenPairBody,
} from './authorization-flow.js';
import { METHODS, openCheckout, pay, payFor, SUCCESS_URL } from './checkout-world.js';
import { parsePage } from './pages/page-document.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase } from './service-with-database.js';

// A process remembers when it deletes next, so each test has one of its own.
const it = itWithDatabase.extend({ isAlone: true });
const { users, community } = sandboxScenario;
const DAY = 24 * 3600_000;
const HOUR = 3600_000;

async function purgeAt(service: ServiceUnderTest, instant: number): Promise<void> {
  service.clock.set(instant);
  await service.server.runBackgroundWork();
}

async function count(db: Database, table: keyof Schema): Promise<number> {
  return (await db.selectFrom(table).selectAll().execute()).length;
}

describe('purge of expired data', () => {
  it('keeps a code while a token of it is valid, so that redeeming it again revokes the tokens', {
    tags: ['oauth-error.invalid-grant-used'],
  }, async ({ service, db }) => {
    const redemption = publicRedemption(service, await publicCode(service));
    const first = (await (await postToken(service, redemption)).json()) as TokenPairBody;
    await purgeAt(service, START + 20 * DAY);
    const second = (await (await refreshPublic(service, first.refresh_token)).json()) as TokenPairBody;
    await purgeAt(service, START + 40 * DAY);
    // The first pair is deleted, and its refresh token is an invalid grant, as before.
    expect(await count(db, 'token_pairs')).toBe(1);
    expect(await errorOf(await refreshPublic(service, first.refresh_token))).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
    const third = (await (await refreshPublic(service, second.refresh_token)).json()) as TokenPairBody;
    expect((await callResource(service, third.access_token)).status).toBe(200);
    expect((await errorOf(await postToken(service, redemption))).error).toBe('invalid_grant');
    expect((await callResource(service, third.access_token)).status).toBe(401);

    await purgeAt(service, START + 71 * DAY - 1);
    expect([await count(db, 'token_pairs'), await count(db, 'authorization_codes')]).toEqual([1, 1]);
    await purgeAt(service, START + 71 * DAY);
    expect([await count(db, 'token_pairs'), await count(db, 'authorization_codes')]).toEqual([0, 0]);
    expect((await errorOf(await postToken(service, redemption))).error).toBe('invalid_grant');
    expect((await errorOf(await refreshPublic(service, third.refresh_token))).error).toBe('invalid_grant');
  });

  it('deletes an unredeemed code after a day', async ({ service, db }) => {
    await publicCode(service);
    await purgeAt(service, START + DAY + 60_000 - 1);
    expect(await count(db, 'authorization_codes')).toBe(1);
    await purgeAt(service, START + DAY + 60_000);
    expect(await count(db, 'authorization_codes')).toBe(0);
  });

  it('deletes old rows after the clock was set back, as by a snapshot of a sandbox', async ({
    service,
    db,
  }) => {
    for (const time of [START + 30 * DAY, START + 10 * DAY, START]) {
      service.clock.set(time);
      await publicCode(service);
      await purgeAt(service, time + 2 * DAY);
      expect(await count(db, 'authorization_codes')).toBe(0);
    }
  });

  it('deletes sessions and sign-in codes, and keeps valid ones', async ({ service, db }) => {
    const browser = await signedIn(service, 'ben@example.com');
    await service.browser().post('/sign-in/code', { email: 'ben@example.com' });
    await purgeAt(service, START + HOUR + 10 * 60_000);
    expect([await count(db, 'sign_in_codes'), await count(db, 'user_sessions')]).toEqual([0, 1]);
    expect((await browser.get('/account')).status).toBe(200);
    await signedIn(service, 'ada@example.com');
    await purgeAt(service, START + 14 * DAY);
    expect(await count(db, 'user_sessions')).toBe(1);
  });

  it('deletes the counters of sign-in codes when their period ends', async ({ service, db }) => {
    await service.browser().post('/sign-in/code', { email: 'ben@example.com' });
    // 15 minutes for the client, an hour for the service, a day for the mailbox.
    await purgeAt(service, START + 15 * 60_000 - 1);
    expect(await count(db, 'sign_in_budgets')).toBe(5);
    await purgeAt(service, START + 15 * 60_000);
    expect(await count(db, 'sign_in_budgets')).toBe(3);
    await purgeAt(service, START + DAY);
    expect(await count(db, 'sign_in_budgets')).toBe(0);
  });

  it('forgets a browser that signed in after 180 days', async ({ service, db }) => {
    const browser = service.browser();
    await browser.post('/sign-in/code', { email: 'ben@example.com' });
    const code = service.server.mailbox?.latestFor('ben@example.com')?.code ?? '';
    await browser.post('/sign-in/verify', { code });
    await purgeAt(service, START + 180 * DAY - 1);
    expect(await count(db, 'known_browsers')).toBe(1);
    await purgeAt(service, START + 180 * DAY);
    expect(await count(db, 'known_browsers')).toBe(0);
  });

  it("deletes a submitted form's id after a month", async ({ service, db }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const form = { path: '/developer/api-keys/new', action: '/developer/api-keys' };
    await fillIn(dana, form, { name: 'Bot', permissions: 'MEMBERSHIP_READ' });
    await purgeAt(service, START + 30 * DAY - 1);
    expect(await count(db, 'form_submissions')).toBe(1);
    await purgeAt(service, START + 30 * DAY);
    expect(await count(db, 'form_submissions')).toBe(0);
  });

  it("keeps a checkout's way back for a month, then deletes it with its reservation", async ({
    service,
    db,
  }) => {
    const abandoned = await openCheckout(service);
    const declined = await openCheckout(service, { externalId: 'order-8' });
    await pay(service.browser(), declined, METHODS.declined);
    const paid = await payFor(service, { externalId: 'order-9' });
    const wayBack = async (path: string) => {
      const answer = await service.browser().get(path);
      return { status: answer.status, href: parsePage(await answer.text())('main a').attr('href') };
    };
    await purgeAt(service, START + 31 * DAY - 1);
    expect(await wayBack(abandoned)).toEqual({ status: 404, href: 'https://shop.example/cart' });
    expect(await wayBack(paid)).toEqual({ status: 200, href: SUCCESS_URL });

    await purgeAt(service, START + 31 * DAY);
    expect(await wayBack(abandoned)).toEqual({ status: 404, href: '/account' });
    const kept = await db
      .selectFrom('checkout_reservations')
      .select('external_id')
      .orderBy('external_id')
      .execute();
    expect(kept.map(({ external_id }) => external_id)).toEqual(['order-8', 'order-9']);
    expect(await count(db, 'checkout_links')).toBe(0);
  });

  it('deletes webhook events after a month, once no delivery is pending', async ({ service, db }) => {
    await service.server.operator.createWebhook({
      ownerId: users.dana.id,
      communityId: community.id,
      url: 'http://127.0.0.1:9/',
    });
    await payFor(service);
    const finish = (status: 'pending' | 'delivered') =>
      db
        .updateTable('webhook_deliveries')
        .set({ status, next_attempt_at: START + 90 * DAY })
        .execute();
    const mine = async () =>
      (await db.selectFrom('webhook_events').select('id').where('type', '=', 'payment.success').execute())
        .length;
    await finish('pending');
    await purgeAt(service, START + 30 * DAY - 2 * HOUR);
    await finish('pending');
    await purgeAt(service, START + 30 * DAY);
    expect(await mine()).toBeGreaterThanOrEqual(1);
    const first = db.selectFrom('webhook_events').selectAll().where('created_at', '=', START);
    expect((await first.execute()).length).toBeGreaterThanOrEqual(2);
    await finish('delivered');
    await service.server.runBackgroundWork();
    expect(await first.execute()).toEqual([]);
  });

  it('deletes any amount of expired rows and skips the others', async ({ service, db }) => {
    const sessions = Array.from({ length: 1_203 }, (_, index) => ({
      id_hash: randomUUID(),
      user_id: users.ben.id,
      created_at: START,
      expires_at: START + (index % 3 === 0 ? DAY : 0),
    }));
    for (let at = 0; at < sessions.length; at += 400) {
      await db
        .insertInto('user_sessions')
        .values(sessions.slice(at, at + 400))
        .execute();
    }
    await purgeAt(service, START);
    expect(await count(db, 'user_sessions')).toBe(401);
  });
});
