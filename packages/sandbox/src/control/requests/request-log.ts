import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type * as z from 'zod';
import { type Needs, sendRequest } from '../../services/services.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import type { requestFilter } from '../routes/routes.js';
import type { Caller } from './caller-of.js';
import type { RawRequest } from './capture-body.js';
import { BODY_BYTES_MAX, type LoggedBody, type LoggedHeaders, REPLAY_HEADER } from './redact-round-trip.js';

/** A request without its bodies. */
export interface RequestSummary {
  readonly id: string;
  /** Time by the service's clock, ISO 8601. */
  readonly serviceTime: string;
  /** Time by the clock that the sandbox's clock runs ahead of, ISO 8601. */
  readonly realTime: string;
  readonly method: string;
  /** Path and query without secrets. */
  readonly path: string;
  /** Name of the endpoint in `@latchkey/contract`; null for a form on a page. */
  readonly endpoint: string | null;
  readonly caller: Caller | null;
  /** Status of the response; null if the service sent none. */
  readonly status: number | null;
  readonly durationMs: number;
  /** False if the connection ended before the whole response was sent. */
  readonly answered: boolean;
  /** Id of the fault that changed this call; null if none did. */
  readonly fault: string | null;
  /** Ids of the requirements that decided the response. Empty if that isn't clear. */
  readonly requirements: readonly string[];
  /** Id of the entry that this call replays; null if it isn't a replay. */
  readonly replayOf: string | null;
}

/** A request with its bodies, without secrets. */
export interface LoggedRequest extends RequestSummary {
  /** Scheme of the Authorization header; null if there is none. */
  readonly authorization: string | null;
  /** Headers without secrets, by name in lower case. */
  readonly requestHeaders: LoggedHeaders;
  /** Headers of the service's response. A fault may have kept them from the caller. */
  readonly responseHeaders: LoggedHeaders;
  readonly requestBody: LoggedBody | null;
  /** Body of the service's response. A fault may have kept it from the caller. Null for a page, or if there was none. */
  readonly responseBody: LoggedBody | null;
  /** Redirect target without secrets; null if there is none. */
  readonly location: string | null;
}

/** Filters of {@link RequestLog.list}. */
export type RequestFilter = Partial<z.output<typeof requestFilter>>;

/** One page of the log, newest first. */
export interface RequestPage {
  readonly requests: readonly RequestSummary[];
  /** Value of `after` for the next page; null at the end. */
  readonly next: string | null;
  /** Total number of entries that match the filters, on all pages. */
  readonly total: number;
}

export const DEFAULT_LOG_ENTRIES = 2_000;
/** How many bytes the log keeps per entry on average, including the request as it arrived. */
const BYTES_PER_ENTRY = 8 * 1024;

interface Kept {
  readonly entry: LoggedRequest;
  readonly number: number;
  /** The entry as JSON in lower case, for searches. */
  readonly text: string;
  readonly raw: RawRequest;
  readonly bytes: number;
}

interface Replay {
  readonly of: string;
  done(entry: RequestSummary | undefined): void;
}

/** The sandbox's newest requests, in memory, without secrets. */
export class RequestLog {
  readonly #services: Needs<'hub' | 'ownAddress'>;
  readonly #limits: { readonly entries: number; readonly bytes: number };
  readonly #kept = new Map<string, Kept>();
  /** Replays that the server hasn't received, by the value of their header. */
  readonly #replays = new Map<string, Replay>();
  #bytes = 0;
  #last = 0;
  #period = 0;

  constructor(
    services: Needs<'hub' | 'ownAddress'>,
    entries: number = DEFAULT_LOG_ENTRIES,
    bytes: number = entries * BYTES_PER_ENTRY,
  ) {
    this.#services = services;
    this.#limits = { entries, bytes };
  }

  /** Returns a function that stores a request that begins now. After a {@link clear} it stores nothing. */
  begin(request: Request): (entry: Omit<LoggedRequest, 'id' | 'replayOf'>, raw: RawRequest) => void {
    const period = this.#period;
    const name = request.get(REPLAY_HEADER) ?? '';
    const replay = this.#replays.get(name);
    this.#replays.delete(name);
    return (entry, raw) => {
      let summary: RequestSummary | undefined;
      if (period === this.#period) {
        summary = summaryOf(this.add({ ...entry, replayOf: replay?.of ?? null }, raw));
        this.#services.hub.publish('request', summary);
      }
      replay?.done(summary);
    };
  }

  /** Stores a request under a new id, with the request as it arrived. */
  add(request: Omit<LoggedRequest, 'id'>, raw: RawRequest): LoggedRequest {
    this.#last += 1;
    const entry = { id: `req_${this.#last}`, ...request };
    const { requestHeaders, responseHeaders, ...searched } = entry;
    const text = JSON.stringify(searched).toLowerCase();
    const headers = JSON.stringify([requestHeaders, responseHeaders, raw.headers]);
    const bytes = 2 * text.length + headers.length + raw.body.kept.byteLength;
    this.#kept.set(entry.id, { entry, number: this.#last, text, raw, bytes });
    this.#bytes += bytes;
    this.#dropOldest();
    return entry;
  }

  #dropOldest(): void {
    for (const [id, { bytes }] of this.#kept) {
      if (this.#kept.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      this.#kept.delete(id);
      this.#bytes -= bytes;
    }
  }

  list({ after, limit = 50, ...filter }: RequestFilter = {}): RequestPage {
    const before = after === undefined ? Number.POSITIVE_INFINITY : numberOf(after);
    const matching = [...this.#kept.values()].reverse().filter((kept) => matches(kept, filter));
    const older = matching.filter(({ number }) => number < before);
    const requests = older.slice(0, limit).map(({ entry }) => summaryOf(entry));
    const next = older.length > limit ? (requests.at(-1)?.id ?? null) : null;
    return { requests, next, total: matching.length };
  }

  /** @throws ControlFailure `not_found` if there is no such entry. */
  find(id: string): LoggedRequest {
    return this.#keptOf(id).entry;
  }

  /**
   * Sends a request again as it arrived, with its credentials, and waits for its entry. For a code or token that works
   * only once, the service responds as it does to a second use.
   *
   * @throws ControlFailure `not_found` if there is no such entry; `conflict` if its body was too long to keep, or if the log
   * was emptied meanwhile.
   */
  async replay(id: string): Promise<RequestSummary> {
    const { method, url, headers, body } = this.#keptOf(id).raw;
    const length = body.kept.byteLength;
    if (body.bytes > length) {
      const limit = `${BODY_BYTES_MAX / 1024} KiB`;
      throw new ControlFailure('conflict', `The log keeps ${limit} of a body. This one was longer.`);
    }
    const name = randomUUID();
    const sent = length > 0 ? [...headers, 'Content-Length', String(length)] : headers;
    const options = { ...this.#services.ownAddress, method, path: url };
    try {
      const entry = await new Promise<RequestSummary | undefined>((resolve, reject) => {
        this.#replays.set(name, { of: id, done: resolve });
        // After the server has received the request, only its entry ends the wait, even if a fault resets the connection.
        sendRequest(
          { ...options, headers: [...sent, REPLAY_HEADER, name, 'Connection', 'close'] },
          body.kept,
        ).catch((error: unknown) => this.#replays.has(name) && reject(error));
      });
      if (entry === undefined) throw new ControlFailure('conflict', 'The log was emptied during the replay.');
      return entry;
    } finally {
      this.#replays.delete(name);
    }
  }

  #keptOf(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw unknown('request', id);
    return kept;
  }

  /** Drops all requests, including those in progress. */
  clear(): void {
    this.#period += 1;
    this.#kept.clear();
    this.#bytes = 0;
  }
}

/** The request log, as tests and the control API use it. */
export type Requests = Pick<RequestLog, 'list' | 'find' | 'replay' | 'clear'>;

function summaryOf(entry: LoggedRequest): RequestSummary {
  const { authorization, requestHeaders, responseHeaders, requestBody, responseBody, location, ...summary } =
    entry;
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
  if (filter.endpoint !== undefined && (entry.endpoint ?? 'page') !== filter.endpoint) return false;
  if (filter.failed === true && !hasFailed(entry)) return false;
  if (filter.client !== undefined && !namesOf(entry.caller).includes(filter.client)) return false;
  return filter.text === undefined || text.includes(filter.text.toLowerCase());
}

function hasFailed({ status, answered }: RequestSummary): boolean {
  return status === null || status >= 400 || !answered;
}

function matchesStatus(status: number | null, wanted: string): boolean {
  return wanted.endsWith('xx') ? `${status}`.startsWith(wanted.slice(0, 1)) : `${status}` === wanted;
}

export function namesOf(caller: Caller | null): readonly string[] {
  if (caller === null) return [];
  if (caller.kind === 'client') return [caller.clientId];
  return [caller.keyName, caller.ownerId, ...(caller.owner === null ? [] : [caller.owner])];
}
