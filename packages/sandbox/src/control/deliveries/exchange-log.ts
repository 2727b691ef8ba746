import { formatTimestamp } from '@latchkey/contract/constants';
import { type DeliveryRoundTrip, type findDelivery, HIDDEN } from '@latchkey/server/extension';
import type { Needs } from '../../services/services.js';
import type { DeliveryEffect } from '../faults/fault.js';
import {
  createExchangeRedactor,
  type ExchangeRedactor,
  type LoggedBody,
} from '../requests/redact-exchange.js';

/** Maximum number of exchanges that are kept, of all deliveries. */
const KEPT = 2_000;

/** Request to an endpoint, and its response. */
export interface LoggedExchange {
  /** Id of the attempt that the service stored, or of a copy that it did not count. */
  readonly id: string;
  readonly deliveryId: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly durationMs: number;
  /** Change by a fault or by a request to send it so; null without one. */
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
  /** Null if there was none. Cookies are hidden, and secrets of the service that the body repeats. */
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: LoggedBody;
  } | null;
  /** Sentence that says why the exchange failed, or that nothing was sent; null if it succeeded. */
  readonly failure: string | null;
}

/** Newest exchanges with endpoints. The service itself stores only status and failure of each attempt. */
export class ExchangeLog {
  readonly #services: Needs<'serviceNames'>;
  #redactor: ExchangeRedactor | undefined;
  /** The oldest first, by id. */
  readonly #exchanges = new Map<string, LoggedExchange>();

  constructor(services: Needs<'serviceNames'>) {
    this.#services = services;
  }

  /**
   * @param exchange `at` is in milliseconds since the epoch, and `sent` a string if nothing was sent: the reason.
   */
  add({
    sent,
    at,
    effect = null,
    fault = null,
    listener = null,
    ...exchange
  }: Pick<LoggedExchange, 'id' | 'deliveryId' | 'durationMs'> &
    Partial<Pick<LoggedExchange, 'effect' | 'fault' | 'listener'>> & {
      at: number;
      sent: DeliveryRoundTrip | string;
    }): void {
    const isSent = typeof sent !== 'string';
    this.#exchanges.set(exchange.id, {
      ...exchange,
      at: formatTimestamp(at),
      effect,
      fault,
      listener,
      request: isSent ? { ...sent.request, headers: textsOf(sent.request.headers) } : null,
      response: isSent && sent.response !== null ? this.#responseOf(sent.response) : null,
      failure: isSent ? sent.failure : sent,
    });
    const [oldest] = this.#exchanges.keys();
    if (oldest !== undefined && this.#exchanges.size > KEPT) this.#exchanges.delete(oldest);
  }

  /** Returns the exchanges of a delivery, oldest first. */
  of(deliveryId: string): readonly LoggedExchange[] {
    return [...this.#exchanges.values()].filter((exchange) => exchange.deliveryId === deliveryId);
  }

  clear(): void {
    this.#exchanges.clear();
  }

  #responseOf({ status, headers, body, bytes }: NonNullable<DeliveryRoundTrip['response']>) {
    const shown = textsOf(headers);
    if ('set-cookie' in shown) shown['set-cookie'] = HIDDEN;
    this.#redactor ??= createExchangeRedactor(this.#services.serviceNames);
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

/** Attempt to send a delivery. A copy, a delivery that was held back, and a forwarded one count as attempts here, too. */
export interface AttemptEntry
  extends Pick<LoggedExchange, 'effect' | 'fault' | 'listener' | 'request' | 'response'> {
  readonly id: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Sentence that says why it failed; null if it succeeded. */
  readonly failure: string | null;
  /** False if the service stored no attempt: its retries do not depend on this one. */
  readonly counted: boolean;
}

/**
 * Joins the stored attempts of a delivery with its logged exchanges, newest first. `request` and `response` are null for
 * attempts that the log no longer has.
 *
 * @param exchanges oldest first.
 */
export function attemptsOf(
  stored: NonNullable<Awaited<ReturnType<typeof findDelivery>>>['attempts'],
  exchanges: readonly LoggedExchange[],
): readonly AttemptEntry[] {
  const logged = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const position = new Map(exchanges.map(({ id }, index) => [id, index]));
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
  const others = exchanges
    .filter(({ id }) => !known.has(id))
    .map((exchange) => ({
      ...partsOf(exchange),
      id: exchange.id,
      at: exchange.at,
      durationMs: exchange.durationMs,
      status: exchange.response?.status ?? null,
      failure: exchange.failure,
      counted: false,
    }));
  // Several exchanges can have the same time. Their order in the log decides then.
  return [...counted, ...others].sort(
    (one, other) =>
      other.at.localeCompare(one.at) || (position.get(other.id) ?? -1) - (position.get(one.id) ?? -1),
  );
}

function partsOf(exchange: LoggedExchange | undefined) {
  const { effect = null, fault = null, listener = null, request = null, response = null } = exchange ?? {};
  return { effect, fault, listener, request, response };
}
