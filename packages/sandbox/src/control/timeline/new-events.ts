import { formatTimestamp, type WebhookEventType } from '@latchkey/contract/constants';
import type { Database } from '@latchkey/server/extension';

/** Webhook event that was recorded while the clock moved. */
export interface NewEvent {
  readonly at: string;
  readonly kind: 'event';
  readonly label: string;
  readonly id: string;
  readonly eventType: WebhookEventType;
}

/** Events that appear while the clock moves. */
export interface EventWatch {
  /** Lists the events since the last call, oldest first. */
  next(): Promise<readonly NewEvent[]>;
}

/** Watches for events that are recorded at an instant or later. Events that exist already are left out. */
export async function watchEvents(db: Database, start: number): Promise<EventWatch> {
  let since = start;
  const known = new Set((await eventsSince(db, since)).map(({ id }) => id));
  return {
    async next() {
      const rows = (await eventsSince(db, since)).filter(({ id }) => !known.has(id));
      for (const { id, created_at } of rows) {
        known.add(id);
        since = Math.max(since, created_at);
      }
      return rows.map(({ id, type, created_at }) => ({
        at: formatTimestamp(created_at),
        kind: 'event',
        label: `The event ${type} is recorded.`,
        id,
        eventType: type,
      }));
    },
  };
}

async function eventsSince(db: Database, since: number) {
  return await db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'created_at'])
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .execute();
}
