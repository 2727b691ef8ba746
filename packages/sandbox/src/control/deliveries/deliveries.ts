import { formatTimestamp, type ServiceNames, webhookHeadersOf } from '@latchkey/contract/constants';
import type { Clock, Logger, PaymentProvider } from '@latchkey/server';
import {
  type Database,
  deliveryHeaders,
  type EventFilter,
  findDelivery,
  findDeliveryOwner,
  listLoggedEvents,
  scheduleRedelivery,
} from '@latchkey/server/extension';
import { ControlFailure, unknown } from '../access/control-failure.js';
import { parseInput } from '../access/parse-input.js';
import { type AttemptEntry, attemptsOf } from './attempt-entry.js';
import type { ExchangeLog } from './exchange-log.js';
import { buy, type PurchaseInput, type PurchaseResult, purchaseInput } from './purchase.js';
import type { DeliverySender } from './send-delivery.js';
import { recordTestEvent, type TestEventInput, testEventInput } from './test-event.js';
import { type PastedDelivery, type SignatureCheck, verifySignature } from './verify-signature.js';

/** Webhook event with its deliveries. */
export interface EventEntry {
  readonly id: string;
  readonly type: string;
  /** ISO 8601, by the service's clock. */
  readonly createdAt: string;
  readonly body: unknown;
  readonly deliveries: readonly {
    readonly id: string;
    readonly webhookId: string;
    readonly url: string;
    readonly status: 'pending' | 'delivered' | 'failed';
    readonly nextAttemptAt: string | null;
    readonly attemptCount: number;
  }[];
}

/** Page of events, newest first. */
export interface EventPage {
  readonly events: readonly EventEntry[];
  /** Value of `after` for the next page; null if this is the last one. */
  readonly next: string | null;
}

/** Delivery of an event to one webhook. */
export interface DeliveryEntry {
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Time of the next attempt, ISO 8601; null if none is planned. */
  readonly nextAttemptAt: string | null;
  /** Request as the service sends it now. The body is the same in every attempt, byte for byte. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Newest first. */
  readonly attempts: readonly AttemptEntry[];
}

/** Ways to send a delivery again. */
export const RESEND_EFFECTS = ['duplicate', 'wrong-signature'] as const;

/** Change of a delivery that is sent again: two copies at once, or a wrong signature. */
export type ResendEffect = (typeof RESEND_EFFECTS)[number];

/** Webhook deliveries of the sandbox. */
export interface Deliveries {
  /** Lists the newest events with their deliveries, newest first. */
  list(filter?: Partial<EventFilter>): Promise<EventPage>;
  /** @throws ControlFailure `not_found` if there is no such event. */
  findEvent(id: string): Promise<EventEntry>;
  /** @throws ControlFailure `not_found` if there is no such delivery. */
  find(id: string): Promise<DeliveryEntry>;
  /** Sends a delivery again, with the same event id, and waits for the answer. */
  resend(id: string, effect?: ResendEffect): Promise<DeliveryEntry>;
  /** Records an event about an object as it is now, and sends it to the webhooks. */
  sendTest(test: TestEventInput): Promise<EventEntry>;
  /** Buys a plan or a product for a user, as on the checkout page. */
  buy(purchase: PurchaseInput): Promise<PurchaseResult>;
  /** Checks the signature of a body with the secrets of all webhooks. */
  verify(pasted: PastedDelivery): Promise<SignatureCheck>;
}

interface DeliveryNeeds {
  readonly clock: Clock;
  readonly payments: PaymentProvider;
  readonly exchanges: ExchangeLog;
  readonly sender: DeliverySender;
  db(): Database;
  names(): ServiceNames;
  baseUrl(): string;
  logger(): Logger;
  deliverDue(): Promise<void>;
  /** Called when a delivery is sent again by hand. */
  onResend(id: string): Promise<void>;
}

const PAGE_SIZE = 50;

export function createDeliveries(needs: DeliveryNeeds): Deliveries {
  const { clock, db, deliverDue, sender } = needs;
  const ownerOf = async (id: string) => {
    const ownerId = await findDeliveryOwner(db(), id);
    if (ownerId === undefined) throw unknown('delivery', id);
    return ownerId;
  };
  const find = async (id: string) => await readDelivery(needs, { id, ownerId: await ownerOf(id) });
  const list = async ({ limit = PAGE_SIZE, ...filter }: Partial<EventFilter> = {}) => {
    const found = await listLoggedEvents(db(), { ...filter, limit: limit + 1 });
    const events = found.slice(0, limit).map(asEntry);
    return { events, next: found.length > limit ? (events.at(-1)?.id ?? null) : null };
  };
  const findEvent = async (id: string) => {
    const { events } = await list({ limit: 1, id });
    if (events[0] === undefined) throw unknown('event', id);
    return events[0];
  };
  return {
    list,
    findEvent,
    find,
    async resend(id, effect) {
      const ownerId = await ownerOf(id);
      const send = async () => {
        const { kind } = await scheduleRedelivery(db(), { id, ownerId }, clock.now());
        if (kind === 'webhook-inactive') {
          throw new ControlFailure(
            'conflict',
            'The webhook is inactive or paused. Save it in the developer area first.',
          );
        }
        await deliverDue();
      };
      await (effect === undefined ? send() : sender.with(id, effect, send));
      if (effect === undefined) await needs.onResend(id);
      return await find(id);
    },
    async sendTest(test) {
      const id = await recordTestEvent(db(), parseInput(testEventInput, test), clock);
      await deliverDue();
      return await findEvent(id);
    },
    async buy(purchase) {
      const { payments, baseUrl, logger } = needs;
      const result = await buy(
        { clock, payments, db, logger: logger(), baseUrl: baseUrl() },
        parseInput(purchaseInput, purchase),
      );
      await deliverDue();
      return result;
    },
    verify: (pasted) => verifySignature(db(), pasted),
  };
}

type LoggedEvent = Awaited<ReturnType<typeof listLoggedEvents>>[number];

function asEntry({ id, type, createdAt, body, deliveries }: LoggedEvent): EventEntry {
  return {
    id,
    type,
    createdAt: formatTimestamp(createdAt),
    body: JSON.parse(body),
    deliveries: deliveries.map(({ nextAttemptAt, lastAttempt: _, ...delivery }) => ({
      ...delivery,
      nextAttemptAt: timeOf(nextAttemptAt),
    })),
  };
}

async function readDelivery(
  { db, names, exchanges }: DeliveryNeeds,
  key: { id: string; ownerId: string },
): Promise<DeliveryEntry> {
  const delivery = await findDelivery(db(), key);
  if (delivery === undefined) throw unknown('delivery', key.id);
  const { id, eventId, webhookId, status, nextAttemptAt, type, body, attempts } = delivery;
  const { url, secret } = await db()
    .selectFrom('webhooks')
    .select(['url', 'secret'])
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow();
  const event = { id: eventId, type };
  const signed = { body: Buffer.from(body), secret, names: webhookHeadersOf(names()) };
  // The signature is valid for this body only, and whoever has the token can send that to the endpoint anyway.
  const headers = Object.entries(deliveryHeaders(event, signed)).map(([name, value]) => [
    name,
    String(value),
  ]);
  return {
    id,
    eventId,
    webhookId,
    url,
    status,
    nextAttemptAt: timeOf(nextAttemptAt),
    request: { headers: Object.fromEntries(headers), body },
    attempts: attemptsOf(attempts, exchanges.of(id)),
  };
}

function timeOf(instant: number | null): string | null {
  return instant === null ? null : formatTimestamp(instant);
}
