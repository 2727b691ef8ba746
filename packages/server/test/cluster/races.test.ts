import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { postToken, publicCode, publicRedemption, publicTokens } from '../authorization-flow.js';
import { locationOf } from '../browser.js';
import { formOf, parsePage } from '../pages/page-document.js';
import { PUBLIC } from '../service-under-test.js';
import { type Cluster, startCluster } from './cluster.js';

const { community, apiKey, plans } = sandboxScenario;
const PROCESSES = 3;

/** Sends all requests at once, rotating over the processes, and returns statuses and bodies. */
async function race(count: number, send: (index: number) => Promise<Response>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  return await Promise.all(
    answers.map(async (answer) => ({
      status: answer.status,
      body: JSON.parse((await answer.text()) || '{}'),
    })),
  );
}

function callApi(path: string, body: object): Promise<Response> {
  return cluster.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ communityId: community.id, ...body }),
  });
}

const endings: (() => void | Promise<void>)[] = [];
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(PROCESSES, (end) => void endings.unshift(end));
}, 60_000);

afterAll(async () => {
  for (const end of endings) await end();
});

describe(`${PROCESSES} server processes on one database`, { timeout: 120_000 }, () => {
  it('let one of a hundred redemptions of a code win, and revoke its pair as stolen', {
    tags: ['oauth-error.invalid-grant-used'],
  }, async () => {
    const code = await publicCode(cluster);
    const answers = await race(100, () => postToken(cluster, publicRedemption(cluster, code)));
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    const lost = answers.filter(({ status }) => status !== 201);
    expect(new Set(lost.map(({ status, body }) => `${status} ${body.error}`))).toEqual(
      new Set(['400 invalid_grant']),
    );
    const { status } = await cluster.request(PATHS.userinfo, {
      headers: { authorization: `Bearer ${won[0]?.body.access_token}` },
    });
    expect(status).toBe(401);
  });

  it('let one of fifty refreshes of a token win, and keep its pair valid', {
    tags: ['credentials.refresh-replay-invalid-grant'],
  }, async () => {
    const { refresh_token } = await publicTokens(cluster);
    const form = { grant_type: 'refresh_token', client_id: PUBLIC, refresh_token };
    const answers = await race(50, () => postToken(cluster, form));
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    expect(
      new Set(
        answers.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${body.error}`),
      ),
    ).toEqual(new Set(['400 invalid_grant']));
    const next = await postToken(cluster, { ...form, refresh_token: won[0]?.body.refresh_token });
    expect(next.status).toBe(201);
  });

  it('turn fifty identical provisionings into one user, one membership and one event', {
    tags: ['provision.idempotent-return'],
  }, async () => {
    const order = { externalOrderId: 'order-1', email: 'rushed@shop.example', messengerUserId: 55_001 };
    const answers = await race(50, () => callApi(PATHS.provisionExternal, order));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.data.membershipId)).size).toBe(1);
    expect(answers.filter(({ body }) => body.data.status === 'created')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.data.status === 'idempotent_return')).toHaveLength(49);
    const db = await openDatabase(cluster.database);
    try {
      const events = await db.selectFrom('webhook_events').select('body').execute();
      expect(events.filter(({ body }) => body.includes(order.email))).toHaveLength(1);
    } finally {
      await db.destroy();
    }
  });

  it('turn fifty payments of one reservation into one payment, one membership, and one event of each', {
    tags: ['buy-plan.reservation'],
  }, async () => {
    const order = {
      pricingPlanId: plans.lifetime.id,
      externalId: 'purchase-1',
      email: 'impatient@shop.example',
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    };
    const opened = await (await callApi(PATHS.buyPlan, order)).json();
    const path = new URL(opened.data.checkoutUrl).pathname;
    const page = parsePage(await (await cluster.browser().get(path)).text());
    const fields = { ...Object.fromEntries(formOf(page, `${path}/pay`).hidden), method: 'transfer-arrives' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => cluster.browser().post(`${path}/pay`, fields)),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${locationOf(answer)}`))).toEqual(
      new Set([`303 ${path}?paid`]),
    );
    const db = await openDatabase(cluster.database);
    try {
      const { id: userId } = await db
        .selectFrom('community_emails')
        .select('user_id as id')
        .where('email', '=', order.email)
        .executeTakeFirstOrThrow();
      const of = (table: 'payments' | 'memberships') =>
        db.selectFrom(table).select('id').where('user_id', '=', userId).execute();
      expect(await of('payments')).toHaveLength(1);
      expect(await of('memberships')).toHaveLength(1);
      const events = await db.selectFrom('webhook_events').select(['type', 'body']).execute();
      const eventTypes = events.filter(({ body }) => body.includes(order.email)).map(({ type }) => type);
      expect(eventTypes.sort()).toEqual(['membership.created', 'payment.success']);
    } finally {
      await db.destroy();
    }
  });

  it('give the last slot of a drop to one of fifty signups', {
    tags: ['drop-signup.success-created'],
  }, async () => {
    const db = await openDatabase(cluster.database);
    try {
      await db.updateTable('drop_slots').set({ slots: 7, slots_used: 6 }).execute();
      const answers = await race(50, (index) =>
        callApi(PATHS.dropSignup, { email: `guest-${index}@example.com` }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(
        new Set(
          answers
            .filter(({ status }) => status !== 201)
            .map(({ status, body }) => `${status} ${body.errorCode}`),
        ),
      ).toEqual(new Set(['409 conflict']));
      const { slots_used: used } = await db.selectFrom('drop_slots').selectAll().executeTakeFirstOrThrow();
      expect(used).toBe(7);
      const signups = await db.selectFrom('drop_signups').select('id').execute();
      expect(signups).toHaveLength(1);
    } finally {
      await db.destroy();
    }
  });
});
