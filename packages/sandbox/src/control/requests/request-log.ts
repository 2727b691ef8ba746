import { ControlFailure, unknown } from '../access/control-failure.js';
import type { Caller } from './caller-of.js';
import type { LoggedBody } from './redact-exchange.js';

/** Request without its bodies. */
export interface RequestSummary {
  readonly id: string;
  /** Time of the service's clock, ISO 8601. */
  readonly serviceTime: string;
  /** Time of the clock that the sandbox's clock runs ahead of, ISO 8601. */
  readonly realTime: string;
  readonly method: string;
  /** Path and query without secrets. */
  readonly path: string;
  /** Name of the endpoint in `@latchkey/contract`; null for a form of a page. */
  readonly endpoint: string | null;
  readonly caller: Caller | null;
  /** Status of the answer; null if the service gave none. */
  readonly status: number | null;
  readonly durationMs: number;
  /** False if the connection ended before the whole answer was sent. */
  readonly answered: boolean;
  /** Id of the fault that changed this call; null if none did. */
  readonly fault: string | null;
  /** Ids of the requirements that decided the answer. Empty where they cannot be told. */
  readonly requirements: readonly string[];
}

/** Request with its bodies, without secrets. */
export interface LoggedRequest extends RequestSummary {
  /** Scheme of the Authorization header; null without one. */
  readonly authorization: string | null;
  readonly requestBody: LoggedBody | null;
  /** Answer of the service. A fault may have kept it from the caller. Null for a page, and without a body. */
  readonly responseBody: LoggedBody | null;
  /** Redirect target without secrets; null without one. */
  readonly location: string | null;
}

/** Filters of {@link RequestLog.list}. */
export interface RequestFilter {
  /** Text that the path contains. */
  readonly path?: string | undefined;
  /** Status, such as `404`, or class, such as `4xx`. */
  readonly status?: string | undefined;
  /** Client id, key name, or id or email address of the key's owner. */
  readonly client?: string | undefined;
  /** Text anywhere in the entry, in any letter case. */
  readonly text?: string | undefined;
  /** Id of the last entry of the previous page. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** One page of the log, newest first. */
export interface RequestPage {
  readonly requests: readonly RequestSummary[];
  /** Value of `after` for the next page; null at the end. */
  readonly next: string | null;
}

/** Limits of the log. The oldest entries are dropped first. */
export interface RequestLogLimits {
  readonly entries: number;
  readonly bytes: number;
}

const DEFAULT_LIMITS: RequestLogLimits = { entries: 2_000, bytes: 16 * 1024 * 1024 };

interface Kept {
  readonly entry: LoggedRequest;
  readonly number: number;
  /** The entry as JSON in lower case, for searches. */
  readonly text: string;
}

/** Newest requests of the sandbox, in memory. */
export class RequestLog {
  readonly #limits: RequestLogLimits;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #last = 0;
  #period = 0;

  constructor(limits: RequestLogLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** Returns a function that stores a request which begins now. After a {@link clear} it stores nothing. */
  begin(): (request: Omit<LoggedRequest, 'id'>) => LoggedRequest | undefined {
    const period = this.#period;
    return (request) => (period === this.#period ? this.add(request) : undefined);
  }

  /** Stores a request under a new id. */
  add(request: Omit<LoggedRequest, 'id'>): LoggedRequest {
    this.#last += 1;
    const entry = { id: `req_${this.#last}`, ...request };
    const text = JSON.stringify(entry).toLowerCase();
    this.#kept.set(entry.id, { entry, number: this.#last, text });
    this.#bytes += text.length;
    this.#dropOldest();
    return entry;
  }

  #dropOldest(): void {
    for (const [id, { text }] of this.#kept) {
      if (this.#kept.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      this.#kept.delete(id);
      this.#bytes -= text.length;
    }
  }

  list({ after, limit = 50, ...filter }: RequestFilter = {}): RequestPage {
    const before = after === undefined ? Number.POSITIVE_INFINITY : numberOf(after);
    const found: RequestSummary[] = [];
    for (const kept of [...this.#kept.values()].reverse()) {
      if (kept.number >= before || !matches(kept, filter)) continue;
      if (found.length === limit) return { requests: found, next: found.at(-1)?.id ?? null };
      found.push(summaryOf(kept.entry));
    }
    return { requests: found, next: null };
  }

  /** @throws ControlFailure `not_found` if there is no such entry. */
  find(id: string): LoggedRequest {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw unknown('request', id);
    return kept.entry;
  }

  /** Drops all requests, also those that have not ended yet. */
  clear(): void {
    this.#period += 1;
    this.#kept.clear();
    this.#bytes = 0;
  }
}

/** Returns an entry without its bodies. */
export function summaryOf(entry: LoggedRequest): RequestSummary {
  const { authorization: _, requestBody: __, responseBody: ___, location: ____, ...summary } = entry;
  return summary;
}

function numberOf(id: string): number {
  const digits = /^req_(\d{1,15})$/.exec(id)?.[1];
  if (digits === undefined)
    throw new ControlFailure('invalid_input', 'after: Use the value of "next".', { after: '' });
  return Number(digits);
}

function matches({ entry, text }: Kept, filter: Omit<RequestFilter, 'after' | 'limit'>): boolean {
  if (filter.path !== undefined && !entry.path.includes(filter.path)) return false;
  if (filter.status !== undefined && !matchesStatus(entry.status, filter.status)) return false;
  if (filter.client !== undefined && !namesOf(entry.caller).includes(filter.client)) return false;
  return filter.text === undefined || text.includes(filter.text.toLowerCase());
}

function matchesStatus(status: number | null, wanted: string): boolean {
  return wanted.endsWith('xx') ? `${status}`.startsWith(wanted.slice(0, 1)) : `${status}` === wanted;
}

/** Returns all texts by which a filter can name a caller. */
export function namesOf(caller: Caller | null): readonly string[] {
  if (caller === null) return [];
  if (caller.kind === 'client') return [caller.clientId];
  return [caller.keyName, caller.ownerId, ...(caller.owner === null ? [] : [caller.owner])];
}
