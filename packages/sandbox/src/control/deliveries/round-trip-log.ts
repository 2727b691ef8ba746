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

/** An attempt to send a delivery. Here, a copy, a delivery that was held back and a forwarded one are attempts too. */
export interface AttemptEntry {
  /** Id of the attempt that the service stored, or of one that it didn't count. */
  readonly id: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** A sentence that says why it failed, or that nothing was sent; null if it succeeded. */
  readonly failure: string | null;
  /** False if the service stored no attempt: its retries don't depend on this one. */
  readonly counted: boolean;
  /** How a fault, or the request to re-send it, changed the delivery; null if nothing did. */
  readonly effect: DeliveryEffect['kind'] | null;
  /** Id of the fault; null if none changed the delivery. */
  readonly fault: string | null;
  /** Name of the listener that forwarded the delivery; null if the service sent it. */
  readonly listener: string | null;
  /** Null if nothing was sent, or if the log no longer has it. */
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
}

type StoredAttempts = NonNullable<Awaited<ReturnType<typeof findDelivery>>>['attempts'];

const NOT_LOGGED = { effect: null, fault: null, listener: null, request: null, response: null };

/** The newest round trips with endpoints. The service itself stores only the status and failure of each attempt. */
export class RoundTripLog {
  readonly #services: Needs<'serviceNames'>;
  #redactor: RoundTripRedactor | undefined;
  /** By id, oldest first. */
  readonly #logged = new Map<string, AttemptEntry & { readonly deliveryId: string }>();

  constructor(services: Needs<'serviceNames'>) {
    this.#services = services;
  }

  /** @param attempt `at` is in milliseconds since the epoch. If nothing was sent, `sent` is a string that says why. */
  add({
    sent,
    at,
    ...attempt
  }: Pick<AttemptEntry, 'id'> &
    Partial<Pick<AttemptEntry, 'effect' | 'fault' | 'listener'>> & {
      deliveryId: string;
      at: number;
      sent: DeliveryRoundTrip | string;
    }): void {
    const outcome =
      typeof sent === 'string'
        ? { durationMs: 0, status: null, failure: sent }
        : {
            durationMs: Math.round(sent.durationMs),
            status: sent.response?.status ?? null,
            failure: sent.failure,
            request: { ...sent.request, headers: textsOf(sent.request.headers) },
            response: sent.response && this.#responseOf(sent.response),
          };
    const entry = { ...NOT_LOGGED, ...attempt, ...outcome, at: formatTimestamp(at), counted: false };
    this.#logged.set(attempt.id, entry);
    const [oldest] = this.#logged.keys();
    if (oldest !== undefined && this.#logged.size > KEPT) this.#logged.delete(oldest);
  }

  /** Joins the stored attempts of a delivery with its logged round trips, newest first. */
  attemptsOf(deliveryId: string, stored: StoredAttempts): readonly AttemptEntry[] {
    const logged = [...this.#logged.values()].filter((entry) => entry.deliveryId === deliveryId);
    const entries = new Map(logged.map(({ deliveryId: _, ...entry }) => [entry.id, entry as AttemptEntry]));
    for (const { id, attemptedAt, durationMs, statusCode: status, failure } of stored) {
      const counted = { id, at: formatTimestamp(attemptedAt), durationMs, status, failure, counted: true };
      entries.set(id, { ...NOT_LOGGED, ...entries.get(id), ...counted });
    }
    // If attempts have the same time, their order in the log decides.
    const place = ({ id }: AttemptEntry) => logged.findIndex((entry) => entry.id === id);
    return [...entries.values()].sort(
      (one, other) => other.at.localeCompare(one.at) || place(other) - place(one),
    );
  }

  clear(): void {
    this.#logged.clear();
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
