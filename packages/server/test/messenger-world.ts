import { randomUUID } from 'node:crypto';
import { inviteLinkResponseViews, PATHS } from '@latchkey/contract';
import { test as base, expect } from 'vitest';
import { type Database, openDatabase } from '../src/database/open-database.js';
import { sandboxScenario } from '../src/index.js';
import { type ApiKeyAnswer, callWithKey } from './api-key-requests.js';
import { databaseUnderTest } from './database/database-under-test.js';
import { type ServiceUnderTest, startService } from './service-under-test.js';

const { community, plans, users } = sandboxScenario;

/** `it` with a service, and a second connection to the database that it works on. */
export const it = base.extend<{ service: ServiceUnderTest; db: Database; database: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  database: async ({}, use) => {
    await use(await databaseUnderTest());
  },
  service: async ({ database }, use) => {
    const service = await startService({ database, backgroundWork: false });
    await use(service);
    await service.server.close();
  },
  db: async ({ database, service: _ }, use) => {
    const db = await openDatabase(database);
    await use(db);
    await db.destroy();
  },
});

/** A checkout to be there. */
interface Checkout {
  externalId?: string;
  email?: string;
  callerId?: string;
  communityId?: string;
  pricingPlanId?: string;
  isPaid?: boolean;
}

/** Opens a checkout and, unless told otherwise, pays it; gives the buyer's id. */
export async function buy(
  { server }: ServiceUnderTest,
  db: Database,
  checkout: Checkout = {},
): Promise<string> {
  const { externalId = 'buyer-7', email = 'grace@example.com', callerId = users.dana.id } = checkout;
  const { communityId = community.id, pricingPlanId = plans.lifetime.id, isPaid = true } = checkout;
  const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  const userId = known?.id ?? (await server.operator.createUser({ email })).id;
  const now = server.clock.now();
  await db
    .insertInto('checkout_reservations')
    .values({
      id: randomUUID(),
      caller_id: callerId,
      external_id: externalId,
      community_id: communityId,
      pricing_plan_id: pricingPlanId,
      product_id: null,
      user_id: userId,
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/plans',
      utm_source: null,
      created_at: now,
      paid_at: isPaid ? now : null,
      membership_id: null,
    })
    .execute();
  if (isPaid) await server.operator.grantMembership({ userId, productType: 'community', communityId });
  return userId;
}

/** Asks for an invite link. */
export async function askForLink(
  service: ServiceUnderTest,
  externalId = 'buyer-7',
  key?: string,
): Promise<ApiKeyAnswer> {
  const path = PATHS.inviteLink.replace('{externalId}', encodeURIComponent(externalId));
  return await callWithKey(service, { path, ...(key !== undefined && { key }) });
}

/** The link of an answer that has one, in its exact form. */
export function linkOf({ status, body }: ApiKeyAnswer): { link: string; expiresAt: string } {
  expect(status).toBe(200);
  const answer = inviteLinkResponseViews.exact.parse(body);
  if (!answer.success) throw new Error(`There is no link: ${answer.message}`);
  return answer.data;
}
