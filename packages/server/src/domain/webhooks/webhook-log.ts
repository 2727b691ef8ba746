import type { WebhookEventType } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { findAttempts, type WebhookAttempt } from './delivery-attempts.js';
import { WAITS_FOR_WEBHOOK } from './next-attempt.js';

/** Event with its deliveries. */
export interface LoggedEvent {
  id: string;
  type: WebhookEventType;
  createdAt: number;
  /** JSON that is sent, byte for byte. */
  body: string;
  deliveries: LoggedDelivery[];
}

/** Delivery of an event to one webhook. */
export interface LoggedDelivery {
  id: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Time of the next attempt; null if the delivery is finished, or its webhook is inactive or paused. */
  nextAttemptAt: number | null;
  attemptCount: number;
  lastAttempt: WebhookAttempt | undefined;
}

async function listDeliveries(
  db: Database,
  eventIds: readonly string[],
): Promise<(LoggedDelivery & { eventId: string })[]> {
  if (eventIds.length === 0) return [];
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['delivery.id', 'delivery.event_id', 'delivery.status', 'delivery.next_attempt_at'])
    .select('webhooks.url')
    .where('delivery.event_id', 'in', eventIds)
    .orderBy('webhooks.created_at')
    .orderBy('delivery.id')
    .execute();
  const attempts = await findAttempts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, event_id, status, next_attempt_at, url }) => ({
    id,
    eventId: event_id,
    url,
    status,
    nextAttemptAt: status === 'pending' && next_attempt_at < WAITS_FOR_WEBHOOK ? next_attempt_at : null,
    attemptCount: attempts.get(id)?.length ?? 0,
    lastAttempt: attempts.get(id)?.[0],
  }));
}
/** Lists the newest events, newest first. */
export async function listLoggedEvents(db: Database, limit: number): Promise<LoggedEvent[]> {
  const events = await db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'created_at', 'body'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  const deliveries = await listDeliveries(
    db,
    events.map(({ id }) => id),
  );
  return events.map(({ id, type, created_at, body }) => ({
    id,
    type,
    createdAt: created_at,
    body,
    deliveries: deliveries.flatMap(({ eventId, ...delivery }) => (eventId === id ? [delivery] : [])),
  }));
}

/** Returns the user id of the owner of a delivery's webhook. */
export async function findDeliveryOwner(db: Database, deliveryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select('webhooks.owner_id')
    .where('webhook_deliveries.id', '=', deliveryId)
    .executeTakeFirst();
  return row?.owner_id;
}

/** Lists the secrets of all webhooks with a URL. */
export async function listWebhookSecrets(db: Database, url: string): Promise<string[]> {
  const rows = await db.selectFrom('webhooks').select('secret').where('url', '=', url).execute();
  return rows.map(({ secret }) => secret);
}
