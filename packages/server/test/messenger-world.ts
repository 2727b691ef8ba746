import { ENDPOINTS } from '@latchkey/contract';
import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { type ApiKeyResponse, callWithKey, keyWith } from './api-key-requests.js';
import { buyersBrowser, METHODS, openCheckout, pay } from './checkout-world.js';
import type { ServiceUnderTest } from './service-under-test.js';

const { community, plans, users } = sandboxScenario;

/** Checkout to create. */
interface Checkout {
  externalId?: string;
  email?: string;
  /**
   * User who opens the checkout, made an administrator of the community.
   * @default Dana, its owner
   */
  callerId?: string;
  isPaid?: boolean;
}

/** Opens a checkout of the lifetime plan, pays it by default, and returns the buyer's id. */
export async function buy(service: ServiceUnderTest, db: Database, checkout: Checkout = {}): Promise<string> {
  const { externalId = 'buyer-7', email = 'grace@example.com', callerId, isPaid = true } = checkout;
  const key = callerId === undefined ? undefined : await callerKey(service, callerId);
  const path = await openCheckout(service, { pricingPlanId: plans.lifetime.id, externalId, email }, key);
  if (isPaid)
    expect((await pay(await buyersBrowser(service, email), path, METHODS.transfer)).status).toBe(303);
  const { id } = await db
    .selectFrom('checkout_reservations')
    .select('user_id as id')
    .where('external_id', '=', externalId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

async function callerKey(service: ServiceUnderTest, userId: string): Promise<string> {
  if (userId !== users.dana.id) {
    await service.server.operator.assignRole({ communityId: community.id, userId, role: 'ADMIN' });
  }
  return await keyWith(service, ['CHECKOUT_WRITE'], userId);
}

/** Requests an invite link. */
export async function requestInviteLink(
  service: ServiceUnderTest,
  externalId = 'buyer-7',
  key?: string,
): Promise<ApiKeyResponse> {
  const path = PATHS.inviteLink.replace('{externalId}', encodeURIComponent(externalId));
  return await callWithKey(service, { path, ...(key !== undefined && { key }) });
}

/** Asserts that the response matches the strict success schema, and returns its link. */
export function linkOf({ status, body }: ApiKeyResponse): { link: string; expiresAt: string } {
  expect(status).toBe(200);
  const answer = ENDPOINTS.inviteLink.success.body.strict.parse(body);
  if (!answer.success) throw new Error(`There is no link: ${answer.message}`);
  return answer.data;
}
