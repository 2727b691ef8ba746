import { randomBytes, randomUUID } from 'node:crypto';
import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import type { Database } from '../../../platform/database/open-database.js';
import { insertWebhook } from './webhooks.js';

/** Maximum number of webhooks that an owner can register for one community or product. Each receives every event. */
const WEBHOOKS_MAX_PER_SUBJECT = 10;

/** Maximum number of webhooks that a user can register, for all communities and products. */
const WEBHOOKS_MAX_PER_OWNER = 100;

/** Webhook to register. `url` and `secret` are already valid; see `webhook.ts`. */
export interface WebhookRegistration {
  /** @default a new UUID */
  id?: string | undefined;
  ownerId: string;
  /** Exactly one of `communityId` and `productId` is set. */
  communityId?: string | undefined;
  productId?: string | undefined;
  url: string;
  /** @default a new secret */
  secret?: string | undefined;
}

/** Result of {@link registerWebhook}. */
export type RegisterWebhookResult =
  | { kind: 'registered'; id: string; secret: string }
  /** The user is not OWNER of the community, or does not sell the product. */
  | { kind: 'not-owner' }
  | { kind: 'id-taken'; id: string }
  /** The owner has the maximum for this community or product, or in total. */
  | { kind: 'too-many'; of: 'subject' | 'owner'; max: number };

/** Registers a webhook for a community or a product of its owner (spec, "Events", 1). */
export async function registerWebhook(
  db: Database,
  { id = randomUUID(), ownerId, secret = createWebhookSecret(), ...webhook }: WebhookRegistration,
  now: number,
): Promise<RegisterWebhookResult> {
  const { url, communityId = null, productId = null } = webhook;
  const subject = { communityId, productId };
  if (!(await ownsSubject(db, ownerId, subject))) return { kind: 'not-owner' };
  const inserted = await insertWebhook(
    db,
    { id, ownerId, ...subject, url, secret },
    { now, limits: { perSubject: WEBHOOKS_MAX_PER_SUBJECT, perOwner: WEBHOOKS_MAX_PER_OWNER } },
  );
  switch (inserted.kind) {
    case 'inserted':
      return { kind: 'registered', id, secret };
    case 'id-taken':
      return { kind: 'id-taken', id };
    case 'too-many':
      return inserted;
  }
}

/** Creates the secret that signs a webhook's deliveries. */
export function createWebhookSecret(): string {
  return randomBytes(WEBHOOK_SECRET_LENGTH / 2).toString('hex');
}

/** Maximum number of communities, and of products, that a form offers. Sellers cannot create more of them. */
const OFFERED_SUBJECTS = 100;

/** Community or product that a webhook can be for. */
export interface WebhookSubject {
  id: string;
  name: string;
}

/** Lists communities that the user owns, by id, and products of the user, oldest first. */
export async function listWebhookSubjects(
  db: Database,
  userId: string,
): Promise<{ communities: WebhookSubject[]; products: WebhookSubject[] }> {
  const communities = await db
    .selectFrom('community_roles')
    .innerJoin('communities', 'communities.id', 'community_roles.community_id')
    .select(['communities.id', 'communities.name'])
    .where('community_roles.user_id', '=', userId)
    .where('community_roles.role', '=', 'OWNER')
    .where('community_roles.is_active', '=', 1)
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

/** True if the user has the OWNER role in the community, or sells the product. */
async function ownsSubject(
  db: Database,
  ownerId: string,
  { communityId, productId }: { communityId: string | null; productId: string | null },
): Promise<boolean> {
  const row =
    communityId === null
      ? await db
          .selectFrom('products')
          .select('id')
          .where('id', '=', productId)
          .where('owner_id', '=', ownerId)
          .executeTakeFirst()
      : await db
          .selectFrom('community_roles')
          .select('user_id')
          .where('community_id', '=', communityId)
          .where('user_id', '=', ownerId)
          .where('role', '=', 'OWNER')
          .where('is_active', '=', 1)
          .executeTakeFirst();
  return row !== undefined;
}
