import { formatTimestamp } from '@latchkey/contract/constants';
import {
  type EventFilter,
  findDelivery,
  findDeliveryOwner,
  listLoggedEvents,
  scheduleRedelivery,
} from '@latchkey/server/extension';
import type * as z from 'zod';
import type { SimulatedBank } from '../../payments/simulated-bank.js';
import type { Services } from '../../services/services.js';
import { ControlFailure, parseInput, unknown } from '../access/control-failure.js';
import type { CONTROL_ROUTES } from '../routes/routes.js';
import { purchaseInput, testEventInput } from '../routes/webhook-inputs.js';
import { type Listeners, signedHeaders } from './listeners.js';
import { buy, type PurchaseInput, type PurchaseResult } from './purchase.js';
import type { AttemptEntry, RoundTripLog } from './round-trip-log.js';
import type { DeliverySender } from './send-delivery.js';
import { recordTestEvent, type TestEventInput } from './test-event.js';
import { type PastedDelivery, type SignatureCheck, verifySignature } from './verify-signature.js';

/** A webhook event with its deliveries. */
export interface EventEntry {
  readonly id: string;
  readonly type: string;
  /** ISO 8601, by the service's clock. */
  readonly createdAt: string;
  readonly body: unknown;
  readonly deliveries: readonly (Omit<DeliveryEntry, 'eventId' | 'request' | 'attempts'> & {
    readonly attemptCount: number;
  })[];
}

/** A page of events, newest first. */
export interface EventPage {
  readonly events: readonly EventEntry[];
  /** Value of `after` for the next page; null if this is the last one. */
  readonly next: string | null;
}

/** The delivery of an event to one webhook. */
export interface DeliveryEntry {
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Time of the next attempt, ISO 8601; null if none is planned. */
  readonly nextAttemptAt: string | null;
  /** The request as the service would send it now. The body is the same in every attempt, byte for byte. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Newest first. */
  readonly attempts: readonly AttemptEntry[];
}

/** How to change a re-sent delivery: two copies at once, or a wrong signature. */
export type ResendEffect = NonNullable<
  z.output<(typeof CONTROL_ROUTES)['POST /deliveries/{id}/resend']['body']>['as']
>;

const PAGE_SIZE = 50;

interface DeliveryParts {
  readonly roundTrips: RoundTripLog;
  readonly sender: DeliverySender;
  readonly listeners: Listeners;
  readonly bank: SimulatedBank;
}

/** The sandbox's webhook deliveries. */
export class Deliveries {
  readonly #services: Services;
  readonly #parts: DeliveryParts;

  constructor(services: Services, parts: DeliveryParts) {
    this.#services = services;
    this.#parts = parts;
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
    // The signature is only valid for this body, and whoever has the token can send that to the endpoint anyway.
    const headers = signedHeaders({ id: eventId, type }, { body, secret, serviceNames });
    return {
      ...{ id, eventId, webhookId, url, status },
      nextAttemptAt: timeOf(nextAttemptAt),
      request: { headers, body },
      attempts: this.#parts.roundTrips.attemptsOf(id, attempts),
    };
  }

  /** Sends a delivery again, with the same event id, and waits for the response. */
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
    await (effect === undefined ? send() : this.#parts.sender.with(id, effect, send));
    if (effect === undefined) await this.#parts.listeners.forget(id);
    return await this.find(id);
  }

  /** Records an event about the current state of something, and sends it to the webhooks. */
  async sendTest(test: TestEventInput): Promise<EventEntry> {
    const { db, clock } = this.#services;
    const id = await recordTestEvent(db, parseInput(testEventInput, test), clock);
    await this.#services.deliverDue();
    return await this.findEvent(id);
  }

  /** Buys a plan or a product for a user, as on the checkout page. */
  async buy(purchase: PurchaseInput): Promise<PurchaseResult> {
    const result = await buy(
      { services: this.#services, payments: this.#parts.bank.provider },
      parseInput(purchaseInput, purchase),
    );
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
