import { formatTimestamp } from '@latchkey/contract/constants';
import { type DeliveryRoundTrip, HIDDEN } from '@latchkey/server/extension';
import type { DeliveryEffect } from '../faults/delivery-effect.js';
import type { ExchangeRedactor, LoggedBody } from '../requests/redact-exchange.js';

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

export type NewExchange = Pick<LoggedExchange, 'id' | 'deliveryId' | 'durationMs'> &
  Partial<Pick<LoggedExchange, 'effect' | 'fault' | 'listener'>> & {
    /** Milliseconds since the epoch. */
    readonly at: number;
    /** A string if nothing was sent: the reason. */
    readonly sent: DeliveryRoundTrip | string;
  };

/** Newest exchanges with endpoints. The service itself stores only status and failure of each attempt. */
export class ExchangeLog {
  readonly #createRedactor: () => ExchangeRedactor;
  #redactor: ExchangeRedactor | undefined;
  /** The oldest first, by id. */
  readonly #exchanges = new Map<string, LoggedExchange>();

  /** @param createRedactor is called with the first response, when the names of the service are known. */
  constructor(createRedactor: () => ExchangeRedactor) {
    this.#createRedactor = createRedactor;
  }

  add({ sent, at, effect = null, fault = null, listener = null, ...exchange }: NewExchange): void {
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
    this.#redactor ??= this.#createRedactor();
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
