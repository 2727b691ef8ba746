import { formatTimestamp, WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import {
  type EventFilter,
  findDelivery,
  findDeliveryOwner,
  listLoggedEvents,
  scheduleRedelivery,
} from '@latchkey/server/extension';
import * as z from 'zod';
import type { Services } from '../../services/services.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { parseInput } from '../access/parse-input.js';
import { type Listeners, signedHeaders } from './listeners.js';
import { buy, type PurchaseInput, type PurchaseResult, purchaseInput } from './purchase.js';
import { type AttemptEntry, attemptsOf, type RoundTripLog } from './round-trip-log.js';
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
const RESEND_EFFECTS = ['duplicate', 'wrong-signature'] as const;

/** Change of a delivery that is sent again: two copies at once, or a wrong signature. */
export type ResendEffect = (typeof RESEND_EFFECTS)[number];

const PAGE_SIZE = 50;

/** Webhook deliveries of the sandbox. */
export class Deliveries {
  readonly #services: Services;
  readonly #roundTrips: RoundTripLog;
  readonly #sender: DeliverySender;
  readonly #listeners: Listeners;

  constructor(
    services: Services,
    parts: { roundTrips: RoundTripLog; sender: DeliverySender; listeners: Listeners },
  ) {
    this.#services = services;
    this.#roundTrips = parts.roundTrips;
    this.#sender = parts.sender;
    this.#listeners = parts.listeners;
  }

  /** Lists the newest events with their deliveries, newest first. */
  async list({ limit = PAGE_SIZE, ...filter }: Partial<EventFilter> = {}): Promise<EventPage> {
    const found = await listLoggedEvents(this.#services.db, { ...filter, limit: limit + 1 });
    const events = found.slice(0, limit).map(asEntry);
    return { events, next: found.length > limit ? (events.at(-1)?.id ?? null) : null };
  }

  /** @throws ControlFailure `not_found` if there is no such event. */
  async findEvent(id: string): Promise<EventEntry> {
    const { events } = await this.list({ limit: 1, id });
    if (events[0] === undefined) throw unknown('event', id);
    return events[0];
  }

  /** @throws ControlFailure `not_found` if there is no such delivery. */
  async find(id: string): Promise<DeliveryEntry> {
    const { db, serviceNames } = this.#services;
    const delivery = await findDelivery(db, { id, ownerId: await this.#ownerOf(id) });
    if (delivery === undefined) throw unknown('delivery', id);
    const { eventId, webhookId, status, nextAttemptAt, type, body, attempts } = delivery;
    const { url, secret } = await db
      .selectFrom('webhooks')
      .select(['url', 'secret'])
      .where('id', '=', webhookId)
      .executeTakeFirstOrThrow();
    // The signature is valid for this body only, and whoever has the token can send that to the endpoint anyway.
    const headers = signedHeaders({ id: eventId, type }, { body, secret, serviceNames });
    return {
      ...{ id, eventId, webhookId, url, status },
      nextAttemptAt: timeOf(nextAttemptAt),
      request: { headers, body },
      attempts: attemptsOf(attempts, this.#roundTrips.of(id)),
    };
  }

  /** Sends a delivery again, with the same event id, and waits for the answer. */
  async resend(id: string, effect?: ResendEffect): Promise<DeliveryEntry> {
    const ownerId = await this.#ownerOf(id);
    const { db, clock } = this.#services;
    const send = async () => {
      const { kind } = await scheduleRedelivery(db, { id, ownerId }, clock.now());
      if (kind === 'webhook-inactive') {
        throw new ControlFailure(
          'conflict',
          'The webhook is inactive or paused. Save it in the developer area first.',
        );
      }
      await this.#services.deliverDue();
    };
    await (effect === undefined ? send() : this.#sender.with(id, effect, send));
    if (effect === undefined) await this.#listeners.forget(id);
    return await this.find(id);
  }

  /** Records an event about an object as it is now, and sends it to the webhooks. */
  async sendTest(test: TestEventInput): Promise<EventEntry> {
    const { db, clock } = this.#services;
    const id = await recordTestEvent(db, parseInput(testEventInput, test), clock);
    await this.#services.deliverDue();
    return await this.findEvent(id);
  }

  /** Buys a plan or a product for a user, as on the checkout page. */
  async buy(purchase: PurchaseInput): Promise<PurchaseResult> {
    const result = await buy(this.#services, parseInput(purchaseInput, purchase));
    await this.#services.deliverDue();
    return result;
  }

  /** Checks the signature of a body with the secrets of all webhooks. */
  async verify(pasted: PastedDelivery): Promise<SignatureCheck> {
    return await verifySignature(this.#services.db, pasted);
  }

  async #ownerOf(id: string): Promise<string> {
    const ownerId = await findDeliveryOwner(this.#services.db, id);
    if (ownerId === undefined) throw unknown('delivery', id);
    return ownerId;
  }
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

function timeOf(instant: number | null): string | null {
  return instant === null ? null : formatTimestamp(instant);
}

/** Bytes of a pasted delivery, whose body can have 256 kB, written as JSON. */
const PASTED_BYTES_MAX = 1024 * 1024;

const filter = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  after: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('Event after which the page begins: `next` of the page before.'),
  type: z.enum(WEBHOOK_EVENT_TYPES).optional(),
  status: z
    .enum(['pending', 'delivered', 'failed', 'none'])
    .optional()
    .describe('State of at least one delivery; none for events that no webhook receives.'),
  webhookId: z.uuid().toLowerCase().optional().describe('Webhook with a delivery of the event.'),
  text: z
    .string()
    .max(200)
    .optional()
    .describe('Part of the body or of an endpoint’s URL, or the id of a delivery. Letter case is ignored.'),
});

/** Endpoints of the webhook deliveries. */
export function deliveryRoutes(deliveries: Deliveries): readonly ControlRoute[] {
  return [
    controlRoute('GET /events', {
      summary: 'Lists webhook events with their deliveries, newest first, by page and filter.',
      query: filter,
      handle: ({ query }) => deliveries.list(query),
    }),
    controlRoute('GET /events/{id}', {
      summary: 'Returns an event with its deliveries.',
      handle: ({ params: { id = '' } }) => deliveries.findEvent(id),
    }),
    controlRoute('POST /events', {
      summary: 'Records an event about an object as it is now, and sends it to the webhooks.',
      body: testEventInput,
      handle: ({ body }) => deliveries.sendTest(body),
    }),
    controlRoute('POST /purchases', {
      summary: 'Buys a plan or a product for a user: a checkout that is opened and paid, or declined.',
      body: purchaseInput,
      handle: ({ body }) => deliveries.buy(body),
    }),
    controlRoute('GET /deliveries/{id}', {
      summary: 'Returns a delivery with the request and the response of every attempt.',
      handle: ({ params: { id = '' } }) => deliveries.find(id),
    }),
    controlRoute('POST /deliveries/{id}/resend', {
      summary: 'Sends a delivery again, with the same event id, and waits for the answer.',
      body: z.strictObject({
        as: z
          .enum(RESEND_EFFECTS)
          .optional()
          .describe('duplicate: two copies at once. wrong-signature: signed with another secret.'),
      }),
      handle: ({ params: { id = '' }, body }) => deliveries.resend(id, body.as),
    }),
    controlRoute('POST /signatures', {
      summary: 'Checks the signature of a body with the secrets of all webhooks.',
      body: z.strictObject({ body: z.string(), signature: z.string().max(500) }),
      bodyLimit: PASTED_BYTES_MAX,
      handle: ({ body }) => deliveries.verify(body),
    }),
  ];
}
