import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { openCheckout } from '../../src/features/checkout/checkouts.js';
import { proveEmail } from '../../src/features/memberships/claims.js';
import { provisionMembership } from '../../src/features/memberships/provision-membership.js';
import { recordCalls } from '../../src/features/operator/record-calls.js';
import type { WriteContext } from '../../src/features/operator/record-kinds.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { START } from '../service-under-test.js';
import { itWithDatabase as it } from '../service-with-database.js';

const EMAIL = 'quick@shop.example';
const ACCOUNT = { messengerUserId: 77_001 };
const { community, plans } = sandboxScenario;

type Work = (db: Database) => Promise<unknown>;

const provision =
  (buyer: { email?: string; messengerUserId?: number }): Work =>
  (db) => {
    const order = { communityId: community.id, externalOrderId: randomUUID(), onOverlap: 'extend' } as const;
    return provisionMembership(db, { ...order, ...buyer }, START);
  };

const TYPES = {
  'a provisioning of a new buyer': provision({ email: EMAIL }),
  'a provisioning of a known messenger account': provision({ email: EMAIL, ...ACCOUNT }),
  'a checkout': (db) => {
    const subject = { kind: 'plan', planId: plans.monthly.id, communityId: community.id } as const;
    const page = { successUrl: 'https://shop.example/', cancelUrl: 'https://shop.example/', utmSource: null };
    const buyer = { email: EMAIL, communityId: community.id };
    return openCheckout(db, { subject, buyer, caller: null, ...page }, START);
  },
} satisfies Record<string, Work>;

const PROVES = {
  'a sign-in': (db) => proveEmail(db, EMAIL, START),
  'an operator who creates the user': (db) =>
    recordCalls({ db, clock: { now: () => START } } as WriteContext).create('users', { email: EMAIL }),
} satisfies Record<string, Work>;

/** Begins the second work while the transaction of the first is still open. */
async function overlap(db: Database, first: Work, second: Work): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await first(transaction);
      const running = second(db);
      resolve(running);
      // Long enough for whatever doesn't wait for the first one.
      await Promise.race([running, pause(200)]);
    });
  await promise;
}

describe('an address that is proved while somebody types it', () => {
  const pairs = Object.entries(TYPES).flatMap(([typing, type]) =>
    Object.entries(PROVES).flatMap(([proving, prove]) => [
      [`${typing}, then ${proving}`, type, prove] as const,
      [`${proving}, then ${typing}`, prove, type] as const,
    ]),
  );

  it.for(pairs)('leaves no claim besides its holder: %s', async ([, first, second], { db }) => {
    await provision(ACCOUNT)(db);
    await overlap(db, first, second);
    const holder = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', EMAIL)
      .executeTakeFirstOrThrow();
    const links = await db
      .selectFrom('community_emails')
      .select('user_id')
      .where('email', '=', EMAIL)
      .execute();
    expect(links.filter(({ user_id }) => user_id !== holder.id)).toEqual([]);
  });
});
