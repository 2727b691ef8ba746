import { randomBytes, randomUUID } from 'node:crypto';
import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import type { Database } from '../../../platform/database/open-database.js';
import { findProduct } from '../../products/product.queries.js';
import { insertWebhook } from './webhooks.js';

/** Maximum number of webhooks that an owner can register for one community or product. Each receives every event. */
const WEBHOOKS_MAX_PER_SUBJECT = 10;

/** Maximum number of webhooks that a user can register, for all communities and products. */
const WEBHOOKS_MAX_PER_OWNER = 100;

/**
 * Registers a webhook for a community or a product of its owner (spec, "Events", 1). `not-owner`: the user isn't OWNER
 * of the community, or doesn't sell the product. `too-many`: the owner has the maximum for this community or product,
 * or in total.
 *
 * @param webhook checked settings, with either a community or a product. Id and secret default to new ones.
 */
export async function registerWebhook(
  db: Database,
  webhook: {
    ownerId: string;
    url: string;
    communityId?: string | undefined;
    productId?: string | undefined;
    id?: string | undefined;
    secret?: string | undefined;
  },
  now: number,
) {
  const { id = randomUUID(), secret = createWebhookSecret(), ownerId, url } = webhook;
  const subject = { communityId: webhook.communityId ?? null, productId: webhook.productId ?? null };
  if (!(await ownsSubject(db, ownerId, subject))) return { kind: 'not-owner' } as const;
  const inserted = await insertWebhook(
    db,
    { id, ownerId, ...subject, url, secret },
    { now, limits: { perSubject: WEBHOOKS_MAX_PER_SUBJECT, perOwner: WEBHOOKS_MAX_PER_OWNER } },
  );
  return inserted.kind === 'inserted' ? ({ kind: 'registered', id, secret } as const) : inserted;
}

export function createWebhookSecret(): string {
  return randomBytes(WEBHOOK_SECRET_LENGTH / 2).toString('hex');
}

/** Maximum number of communities, and of products, that a form offers. Sellers can't create more of them. */
const OFFERED_SUBJECTS = 100;

export async function listWebhookSubjects(db: Database, userId: string) {
  const communities = await db
    .selectFrom('community_roles')
    .innerJoin('communities', 'communities.id', 'community_roles.community_id')
    .select(['communities.id', 'communities.name'])
    .where('community_roles.user_id', '=', userId)
    .where('community_roles.role', '=', 'OWNER')
    .where('community_roles.is_active', '=', 1)
    .where('communities.closed_at', 'is', null)
    .orderBy('community_roles.community_id')
    .limit(OFFERED_SUBJECTS)
    .execute();
  const products = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('owner_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(OFFERED_SUBJECTS)
    .execute();
  return { communities, products };
}

async function ownsSubject(
  db: Database,
  ownerId: string,
  { communityId, productId }: { communityId: string | null; productId: string | null },
): Promise<boolean> {
  if (communityId === null)
    return (await findProduct(db, { productId: productId ?? '', userId: ownerId })) !== undefined;
  const role = await db
    .selectFrom('community_roles')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('user_id', '=', ownerId)
    .where('role', '=', 'OWNER')
    .where('is_active', '=', 1)
    .executeTakeFirst();
  return role !== undefined;
}
