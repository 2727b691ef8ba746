import { formatTimestamp } from '@latchkey/contract/constants';
import { type DeliveryRoundTrip, type findDelivery, HIDDEN } from '@latchkey/server/extension';
import type { Needs } from '../../services/services.js';
import {
  createRoundTripRedactor,
  type LoggedBody,
  type RoundTripRedactor,
} from '../requests/redact-round-trip.js';
import type { DeliveryEffect } from '../routes/fault.js';

/** Maximum number of round trips that are kept, for all deliveries together. */
const KEPT = 2_000;

/** A request to an endpoint, and its response. */
export interface LoggedRoundTrip {
  /** Id of the attempt that the service stored, or of a copy that it didn't count. */
  readonly id: string;
  readonly deliveryId: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly durationMs: number;
  /** How a fault, or the request to re-send it, changed the delivery; null if nothing did. */
  readonly effect: DeliveryEffect['kind'] | null;
  /** Id of the fault; null if none changed the delivery. */
  readonly fault: string | null;
  /** Name of the listener that forwarded the delivery; null if the service sent it. */
  readonly listener: string | null;
  /** Null if nothing was sent. */
  readonly request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /** Null if there was none. Cookies are hidden, as are the service's secrets if the body repeats them. */
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: LoggedBody;
  } | null;
  /** A sentence that says why the round trip failed, or that nothing was sent; null if it succeeded. */
  readonly failure: string | null;
}

/** The newest round trips with endpoints. The service itself stores only the status and failure of each attempt. */
export class RoundTripLog {
  readonly #services: Needs<'serviceNames'>;
  #redactor: RoundTripRedactor | undefined;
  /** By id, oldest first. */
  readonly #roundTrips = new Map<string, LoggedRoundTrip>();

  constructor(services: Needs<'serviceNames'>) {
    this.#services = services;
  }

  /** @param roundTrip `at` is in milliseconds since the epoch. If nothing was sent, `sent` is a string that says why. */
  add({
    sent,
    at,
    effect = null,
    fault = null,
    listener = null,
    ...roundTrip
  }: Pick<LoggedRoundTrip, 'id' | 'deliveryId' | 'durationMs'> &
    Partial<Pick<LoggedRoundTrip, 'effect' | 'fault' | 'listener'>> & {
      at: number;
      sent: DeliveryRoundTrip | string;
    }): void {
    const isSent = typeof sent !== 'string';
    this.#roundTrips.set(roundTrip.id, {
      ...roundTrip,
      at: formatTimestamp(at),
      effect,
      fault,
      listener,
      request: isSent ? { ...sent.request, headers: textsOf(sent.request.headers) } : null,
      response: isSent && sent.response !== null ? this.#responseOf(sent.response) : null,
      failure: isSent ? sent.failure : sent,
    });
    const [oldest] = this.#roundTrips.keys();
    if (oldest !== undefined && this.#roundTrips.size > KEPT) this.#roundTrips.delete(oldest);
  }

  /** Returns the round trips of a delivery, oldest first. */
  of(deliveryId: string): readonly LoggedRoundTrip[] {
    return [...this.#roundTrips.values()].filter((roundTrip) => roundTrip.deliveryId === deliveryId);
  }

  clear(): void {
    this.#roundTrips.clear();
  }

  #responseOf({ status, headers, body, bytes }: NonNullable<DeliveryRoundTrip['response']>) {
    const shown = textsOf(headers);
    if ('set-cookie' in shown) shown['set-cookie'] = HIDDEN;
    this.#redactor ??= createRoundTripRedactor(this.#services.serviceNames.apiKeyPrefix);
    return {
      status,
      headers: shown,
      body: this.#redactor.body({ kept: body, bytes }, headers['content-type'] ?? ''),
    };
  }
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : String(value),
    ]),
  );
}

/** An attempt to send a delivery. Here, a copy, a delivery that was held back and a forwarded one are attempts too. */
export interface AttemptEntry
  extends Pick<LoggedRoundTrip, 'effect' | 'fault' | 'listener' | 'request' | 'response'> {
  readonly id: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** A sentence that says why it failed; null if it succeeded. */
  readonly failure: string | null;
  /** False if the service stored no attempt: its retries don't depend on this one. */
  readonly counted: boolean;
}

/**
 * Joins the stored attempts of a delivery with its logged round trips, newest first. `request` and `response` are null for
 * attempts that the log no longer has.
 *
 * @param roundTrips oldest first.
 */
export function attemptsOf(
  stored: NonNullable<Awaited<ReturnType<typeof findDelivery>>>['attempts'],
  roundTrips: readonly LoggedRoundTrip[],
): readonly AttemptEntry[] {
  const logged = new Map(roundTrips.map((roundTrip) => [roundTrip.id, roundTrip]));
  const position = new Map(roundTrips.map(({ id }, index) => [id, index]));
  const counted = stored.map(({ id, attemptedAt, durationMs, statusCode, failure }) => ({
    ...partsOf(logged.get(id)),
    id,
    at: formatTimestamp(attemptedAt),
    durationMs,
    status: statusCode,
    failure,
    counted: true,
  }));
  const known = new Set(stored.map(({ id }) => id));
  const others = roundTrips
    .filter(({ id }) => !known.has(id))
    .map((roundTrip) => ({
      ...partsOf(roundTrip),
      id: roundTrip.id,
      at: roundTrip.at,
      durationMs: roundTrip.durationMs,
      status: roundTrip.response?.status ?? null,
      failure: roundTrip.failure,
      counted: false,
    }));
  // If round trips have the same time, their order in the log decides.
  return [...counted, ...others].sort(
    (one, other) =>
      other.at.localeCompare(one.at) || (position.get(other.id) ?? -1) - (position.get(one.id) ?? -1),
  );
}

function partsOf(roundTrip: LoggedRoundTrip | undefined) {
  const { effect = null, fault = null, listener = null, request = null, response = null } = roundTrip ?? {};
  return { effect, fault, listener, request, response };
}
