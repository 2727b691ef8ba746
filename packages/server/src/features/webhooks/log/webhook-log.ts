import type { WebhookEventType } from '@latchkey/contract/constants';
import type { Database } from '../../../platform/database/open-database.js';
import { containsText } from '../../../platform/database/rows.js';
import { withAttempts } from './deliveries.js';

type LoggedDelivery = Omit<Awaited<ReturnType<typeof deliveriesOfEvents>>[number], 'eventId'>;

async function deliveriesOfEvents(db: Database, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['delivery.id', 'delivery.event_id as eventId', 'delivery.status', 'webhooks.url'])
    .select(['delivery.webhook_id as webhookId', 'delivery.next_attempt_at as nextAttemptAt'])
    .where('delivery.event_id', 'in', eventIds)
    .orderBy('webhooks.created_at')
    .orderBy('delivery.id')
    .execute();
  return await withAttempts(db, rows);
}

export interface EventFilter {
  limit: number;
  id?: string | undefined;
  /** Id of an event. Only older events are listed. An unknown id lists none. */
  after?: string | undefined;
  type?: string | undefined;
  /** State of at least one delivery; `none` for events without a delivery. */
  status?: LoggedDelivery['status'] | 'none' | undefined;
  webhookId?: string | undefined;
  /** Part of the body, the id of a delivery, or part of an endpoint's URL. Letter case is ignored. */
  text?: string | undefined;
}

export async function listLoggedEvents(db: Database, filter: EventFilter) {
  const position = db.selectFrom('webhook_events').select(['id', 'created_at']);
  const last =
    filter.after === undefined ? undefined : await position.where('id', '=', filter.after).executeTakeFirst();
  if (filter.after !== undefined && last === undefined) return [];
  const events = await selectEvents(db, filter)
    .$if(last !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('event.created_at', '<', last?.created_at ?? 0),
          eb.and([eb('event.created_at', '=', last?.created_at ?? 0), eb('event.id', '>', last?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('event.created_at', 'desc')
    .orderBy('event.id')
    .limit(filter.limit)
    .execute();
  const deliveries = new Map<string, LoggedDelivery[]>(events.map(({ id }) => [id, []]));
  for (const { eventId, ...delivery } of await deliveriesOfEvents(db, [...deliveries.keys()])) {
    deliveries.get(eventId)?.push(delivery);
  }
  return events.map((event) => ({ ...event, deliveries: deliveries.get(event.id) ?? [] }));
}

function selectEvents(db: Database, { id, type, status, webhookId, text }: EventFilter) {
  const deliveries = db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select('webhook_deliveries.event_id');
  const states = status === 'none' ? deliveries : deliveries.where('status', '=', status ?? 'pending');
  return db
    .selectFrom('webhook_events as event')
    .select(['event.id', 'event.type', 'event.created_at as createdAt', 'event.body'])
    .$if(id !== undefined, (query) => query.where('event.id', '=', id ?? ''))
    .$if(type !== undefined, (query) => query.where('event.type', '=', type as WebhookEventType))
    .$if(status !== undefined, (query) =>
      query.where('event.id', status === 'none' ? 'not in' : 'in', states),
    )
    .$if(webhookId !== undefined, (query) =>
      query.where('event.id', 'in', deliveries.where('webhooks.id', '=', webhookId ?? '')),
    )
    .$if(text !== undefined && text !== '', (query) =>
      query.where((eb) =>
        eb.or([
          containsText(['event.body'], text ?? ''),
          eb(
            'event.id',
            'in',
            deliveries.where(containsText(['webhooks.url', 'webhook_deliveries.id'], text ?? '')),
          ),
        ]),
      ),
    );
}

export async function findDeliveryOwner(db: Database, deliveryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select('webhooks.owner_id')
    .where('webhook_deliveries.id', '=', deliveryId)
    .executeTakeFirst();
  return row?.owner_id;
}

export async function listWebhookSecrets(db: Database, url: string): Promise<string[]> {
  const rows = await db.selectFrom('webhooks').select('secret').where('url', '=', url).execute();
  return rows.map(({ secret }) => secret);
}
