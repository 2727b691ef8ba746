import { randomBytes, randomUUID } from 'node:crypto';
import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import type { Database } from '../../../platform/database/open-database.js';
import { ownsSubject } from './webhook-subjects.js';
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
