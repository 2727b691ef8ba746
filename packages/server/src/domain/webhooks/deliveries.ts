import type { WebhookEventType } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { findAttempts, type WebhookAttempt } from './delivery-attempts.js';
import { HELD } from './held-delivery.js';
import type { WebhookKey } from './webhooks.js';

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  id: string;
  webhookId: string;
  eventId: string;
  type: WebhookEventType;
  status: 'pending' | 'delivered' | 'failed';
  /** When the event happened. */
  createdAt: number;
  /** When it goes out next; null when it is finished, or waits for its webhook to be made active again. */
  nextAttemptAt: number | null;
  /** When it was delivered or given up. */
  finishedAt: number | null;
  /** How often it was tried, over all. */
  attemptCount: number;
  /** How the newest attempt went. */
  lastAttempt: WebhookAttempt | undefined;
}

/** A delivery with everything that is known of it. */
export interface WebhookDeliveryDetails extends WebhookDelivery {
  /** The JSON that was sent, byte for byte. */
  body: string;
  /** Newest first. */
  attempts: readonly WebhookAttempt[];
}

interface DeliveryRow {
  id: string;
  webhook_id: string;
  event_id: string;
  status: WebhookDelivery['status'];
  next_attempt_at: number;
  finished_at: number | null;
  type: WebhookEventType;
  created_at: number;
}

function asDelivery(row: DeliveryRow, attempts: readonly WebhookAttempt[]): WebhookDelivery {
  const waits = row.status === 'pending' && row.next_attempt_at < HELD;
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    type: row.type,
    status: row.status,
    createdAt: row.created_at,
    nextAttemptAt: waits ? row.next_attempt_at : null,
    finishedAt: row.finished_at,
    attemptCount: attempts.length,
    lastAttempt: attempts[0],
  };
}
const selectDeliveries = (db: Database, ownerId: string) =>
  db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .select(['delivery.id', 'delivery.webhook_id', 'delivery.event_id', 'delivery.status'])
    .select(['delivery.next_attempt_at', 'delivery.finished_at', 'event.type', 'event.created_at'])
    .where('webhooks.owner_id', '=', ownerId);

/** The newest deliveries of a webhook, newest first. */
export async function listDeliveries(
  db: Database,
  { id, ownerId }: WebhookKey,
  limit: number,
): Promise<WebhookDelivery[]> {
  const rows = await selectDeliveries(db, ownerId)
    .where('delivery.webhook_id', '=', id)
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id')
    .limit(limit)
    .execute();
  const attempts = await findAttempts(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => asDelivery(row, attempts.get(row.id) ?? []));
}

export async function findDelivery(
  db: Database,
  { id, ownerId }: WebhookKey,
): Promise<WebhookDeliveryDetails | undefined> {
  const row = await selectDeliveries(db, ownerId)
    .select('event.body')
    .where('delivery.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const attempts = (await findAttempts(db, [id])).get(id) ?? [];
  return { ...asDelivery(row, attempts), body: row.body, attempts };
}

/**
 * Sends a delivery again, as the same event: it is due now, and its schedule of retries begins anew.
 * `held`: its webhook is switched off or paused, and nothing was changed. `undefined`: there is none.
 */
export async function scheduleRedelivery(
  db: Database,
  { id, ownerId }: WebhookKey,
  now: number,
): Promise<'due' | 'held' | undefined> {
  const webhooks = db.selectFrom('webhooks').select('id').where('owner_id', '=', ownerId);
  const active = webhooks.where('is_active', '=', 1).where('paused_at', 'is', null);
  const reopened = await db
    .updateTable('webhook_deliveries')
    .set({
      status: 'pending',
      attempts: 0,
      next_attempt_at: now,
      lease_id: null,
      leased_until: null,
      finished_at: null,
    })
    .where('id', '=', id)
    .where('webhook_id', 'in', active)
    // Whoever holds a lease is sending it at this moment.
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst();
  if (reopened !== undefined) return 'due';
  const found = await db
    .selectFrom('webhook_deliveries')
    .select(({ eb }) => eb('webhook_id', 'in', active).as('goes_out'))
    .where('id', '=', id)
    .where('webhook_id', 'in', webhooks)
    .executeTakeFirst();
  return found && (found.goes_out ? 'due' : 'held');
}
