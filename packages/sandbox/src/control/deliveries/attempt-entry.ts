import { formatTimestamp } from '@latchkey/contract/constants';
import type { LoggedExchange } from './exchange-log.js';

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

interface StoredAttempt {
  readonly id: string;
  readonly attemptedAt: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly failure: string | null;
}

/**
 * Joins the stored attempts of a delivery with its logged exchanges, newest first. `request` and `response` are null for
 * attempts that the log no longer has.
 *
 * @param exchanges oldest first.
 */
export function attemptsOf(
  stored: readonly StoredAttempt[],
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
