import { randomBytes, randomUUID } from 'node:crypto';
import {
  type DeliveryInterceptor,
  type DeliveryRoundTrip,
  type InterceptedDelivery,
  postponeDelivery,
} from '@latchkey/server/extension';
import type { Needs } from '../../services/services.js';
import type { FaultList } from '../faults/fault-list.js';
import type { DeliveryEffect } from '../routes/fault.js';
import type { RoundTripLog } from './round-trip-log.js';

/** After this time a reordered delivery is sent even if no other one is, in milliseconds of the service's clock. */
const REORDER_MS = 60_000;

const DROPPED = 'Dropped by a fault of the sandbox: the endpoint received nothing.';

interface Chosen {
  readonly effect: DeliveryEffect;
  readonly fault: string | null;
}

type Send = Parameters<DeliveryInterceptor>[1];

type Sent = { readonly sent: DeliveryRoundTrip | string; readonly at?: number };

export class DeliverySender {
  readonly #services: Needs<'clock' | 'db'>;
  readonly #faults: FaultList;
  readonly #roundTrips: RoundTripLog;
  /** Effects on the next attempts, by delivery id. They take precedence over faults. */
  readonly #once = new Map<string, 'duplicate' | 'wrong-signature'>();
  /** Deliveries that a fault has already held back, and must not hold back again. */
  readonly #wasHeld = new Set<string>();
  /** The delivery that waits for the next one, by webhook id. `parked` resolves when its lease has ended. */
  readonly #waiting = new Map<string, { readonly deliveryId: string; readonly parked: Promise<void> }>();

  constructor(services: Needs<'clock' | 'db'>, faults: FaultList, roundTrips: RoundTripLog) {
    this.#services = services;
    this.#faults = faults;
    this.#roundTrips = roundTrips;
  }

  /** Runs an action. During it, the next attempt of a delivery has an effect. */
  async with(deliveryId: string, effect: 'duplicate' | 'wrong-signature', action: () => Promise<void>) {
    this.#once.set(deliveryId, effect);
    try {
      await action();
    } finally {
      this.#once.delete(deliveryId);
    }
  }

  clear(): void {
    this.#wasHeld.clear();
    this.#waiting.clear();
  }

  readonly intercept: DeliveryInterceptor = async (delivery, send) => {
    const chosen = this.#choose(delivery);
    switch (chosen?.effect.kind) {
      case 'delay':
        return await this.#hold(delivery, chosen, this.#services.clock.now() + chosen.effect.ms);
      case 'reorder':
        return await this.#waitForNext(delivery, chosen);
      case 'drop':
        this.#log(delivery, { ...chosen, sent: DROPPED });
        return { statusCode: null, failure: DROPPED };
      case 'duplicate':
        return await this.#sendTwice(delivery, chosen, send);
      case 'wrong-signature':
        return await this.#send(delivery, chosen, () => send({ secret: randomBytes(32).toString('hex') }));
      default:
        return await this.#send(delivery, undefined, send);
    }
  };

  #choose({ id, webhookId, event }: InterceptedDelivery): Chosen | undefined {
    const kind = this.#once.get(id);
    if (kind !== undefined) {
      this.#once.delete(id);
      return { effect: { kind }, fault: null };
    }
    if (this.#wasHeld.delete(id)) return undefined;
    const fault = this.#faults.chooseForDelivery(webhookId, event.type);
    // A delivery is already waiting, and this is the next one.
    if (fault?.effect.kind === 'reorder' && this.#waiting.has(webhookId)) return undefined;
    return fault && { effect: fault.effect, fault: fault.id };
  }

  async #send(delivery: InterceptedDelivery, chosen: Chosen | undefined, send: Send) {
    const at = this.#services.clock.now();
    const sent = await send();
    if (sent === undefined) return undefined;
    this.#log(delivery, { ...chosen, at, sent });
    await this.#releaseAfter(delivery);
    return sent;
  }

  /** Sends two copies at once. The service stores one attempt, which succeeded if a copy did. */
  async #sendTwice(delivery: InterceptedDelivery, chosen: Chosen, send: Send) {
    const copy = { ...delivery, attemptId: randomUUID() };
    const results = await Promise.all([this.#send(delivery, chosen, send), this.#send(copy, chosen, send)]);
    return results.find((result) => result?.failure === null) ?? results[0];
  }

  async #hold(delivery: InterceptedDelivery, chosen: Chosen, until: number): Promise<undefined> {
    this.#wasHeld.add(delivery.id);
    const sent = `Held back by a fault of the sandbox until ${new Date(until).toISOString()}.`;
    this.#log(delivery, { ...chosen, sent });
    await postponeDelivery(this.#services.db, delivery, until);
    return undefined;
  }

  /** Only one of a webhook's deliveries waits. The next one is sent before it. */
  async #waitForNext(delivery: InterceptedDelivery, chosen: Chosen): Promise<undefined> {
    const parked = this.#hold(delivery, chosen, this.#services.clock.now() + REORDER_MS);
    this.#waiting.set(delivery.webhookId, { deliveryId: delivery.id, parked });
    await parked;
    return undefined;
  }

  /** Makes the same webhook's waiting delivery due, once another one was sent. */
  async #releaseAfter({ id, webhookId }: InterceptedDelivery): Promise<void> {
    const waiting = this.#waiting.get(webhookId);
    if (waiting === undefined) return;
    this.#waiting.delete(webhookId);
    if (waiting.deliveryId === id) return;
    await waiting.parked;
    const { db, clock } = this.#services;
    await db
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: clock.now() })
      .where('id', '=', waiting.deliveryId)
      .where('status', '=', 'pending')
      .execute();
  }

  #log({ attemptId: id, id: deliveryId }: InterceptedDelivery, attempt: Partial<Chosen> & Sent): void {
    const { effect, fault = null, at = this.#services.clock.now(), sent } = attempt;
    this.#roundTrips.add({ id, deliveryId, at, effect: effect?.kind ?? null, fault, sent });
  }
}
