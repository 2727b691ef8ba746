import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { test as base } from 'vitest';
import { insertCommunity } from '../src/features/communities/communities.js';
import { insertUser } from '../src/features/memberships/claims.js';
import { insertProduct } from '../src/features/products/product.queries.js';
import { type NewEvent, recordEvent } from '../src/features/webhooks/event-outbox.js';
import { createManualClock, type ManualClock } from '../src/index.js';
import { type Database, openDatabase } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { takeTestDatabase } from './database/database-under-test.js';
import { START } from './service-under-test.js';

const { users, community, products } = sandboxScenario;

/** `it` with a database that holds only the sandbox's users, its community and one product. */
export const withDatabase = base.extend<{ db: Database; clock: ManualClock }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  db: async ({}, use) => {
    const database = await takeTestDatabase();
    const db = await openDatabase(database.url);
    for (const { id, email, name } of Object.values(users)) {
      await insertUser(db, { id, email, name, messengerUserId: null }, START);
    }
    await insertCommunity(db, { ...community, ownerId: users.dana.id }, START);
    await insertProduct(
      db,
      { ...products.brewGuide, priceMinor: null, currency: 'EUR', ownerId: users.dana.id },
      START,
    );
    await use(db);
    await db.destroy();
    await database.giveBack();
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  clock: async ({}, use) => {
    await use(createManualClock(START));
  },
});

/** Records an event in a transaction of its own, as the operations do. */
export async function emit(db: Database, event: NewEvent, now: number): Promise<void> {
  await inTransaction(db, (transaction) => recordEvent(transaction, event, now));
}

const user = { sub: users.ada.id, email: users.ada.email };
const membership = {
  id: sandboxScenario.memberships.adaCommunity.id,
  productType: 'community',
  isActive: true,
  validFrom: '2026-06-12T14:05:00.000Z',
  validUntil: null,
} as const;
const payment = {
  paymentId: '5eed0000-0000-4000-8000-0000000000f1',
  user,
  communityId: community.id,
  pricingPlanId: sandboxScenario.plans.monthly.id,
  amount: 900,
  currency: 'EUR',
  externalId: 'buyer-1 “ü” \u2028',
  utmSource: null,
};

const { id, name, slug, type } = products.brewGuide;
const brewGuide = { id, name, slug, type };

/** Returns an event about the sandbox's community, with its own order id. */
export function membershipCreated(): NewEvent {
  return membershipEvent('membership.created');
}

function membershipEvent(type: 'membership.created' | 'membership.updated'): NewEvent {
  const externalOrderId = `order-${randomUUID()}`;
  const subject = { communityId: community.id, productId: null, pricingPlanId: null };
  const data = { membership, user, ...subject, externalOrderId };
  return { type, communityId: community.id, data };
}

/** One event of each type about the sandbox's community. The purchase is about its product. */
export const oneOfEach: readonly NewEvent[] = [
  membershipEvent('membership.created'),
  membershipEvent('membership.updated'),
  { type: 'payment.success', communityId: community.id, data: { ...payment, membershipId: membership.id } },
  { type: 'payment.failed', communityId: community.id, data: { ...payment, reason: 'card_declined' } },
  {
    type: 'digital.product.purchase',
    productId: products.brewGuide.id,
    data: {
      product: brewGuide,
      membership: { ...membership, productType: 'digital_product' },
      user,
      amount: 1_900,
      currency: 'EUR',
    },
  },
];
