import { performance } from 'node:perf_hooks';
import { answerForm, networkFailureOf } from '@latchkey/contract/constants';
import type { ForwardedDelivery, ListenerEntry } from '@latchkey/sandbox';
import { ControlError, type ControlInput } from '@latchkey/sandbox/client';
import { type ControlClient, isUnreachable } from './control-client.js';
import { sleep } from './follow.js';

/** Milliseconds between two requests for new deliveries. */
const POLL_MS = 400;
/** Milliseconds between two attempts to connect. */
const RECONNECT_MS = 1_000;
/** Longest pause before a delivery is re-sent, in milliseconds. */
const MAX_PAUSE_MS = 30_000;

const WAITING_ROWS = 100;

/** An attempt to forward a delivery, as the sandbox logs it. */
type ForwardReport = Omit<ControlInput<'POST /listeners/{name}/deliveries/{id}'>, 'name' | 'id'>;

/** The response, or the reason why there is none. */
interface Forwarded extends Omit<ForwardReport, 'result' | 'url'> {
  /** True if no connection was made, so the delivery hasn't arrived. */
  readonly isDown: boolean;
}

/** An attempt to forward a delivery, for the output. */
export interface ForwardResult {
  readonly delivery: ForwardedDelivery;
  readonly result: ForwardReport['result'];
  readonly forwarded: Forwarded;
}

export interface ListenSettings {
  readonly client: ControlClient;
  /** The listener, with an id for this program that is chosen when it starts. */
  readonly listener: ControlInput<'POST /listeners'>;
  readonly url: string;
  /** How often a delivery is re-sent after a response other than 2xx. */
  readonly retries: number;
  readonly signal: AbortSignal;
  onOpen(listener: ListenerEntry): void;
  onResult(result: ForwardResult): void;
  /** Called with a sentence when something becomes unreachable, or reachable again. */
  onNote(text: string): void;
}

/**
 * Forwards deliveries until the signal aborts. The sandbox stores which ones are done, so restarting either side loses
 * none. If this program ends before it can report a delivery, the delivery is sent again with the same event id.
 *
 * @throws ControlError if the sandbox rejects the first call, or another program has opened the same listener.
 */
export async function listen(settings: ListenSettings): Promise<void> {
  const { client, listener, signal } = settings;
  const open = (from = listener.from) => client.call('POST /listeners', { ...listener, from });
  settings.onOpen(await open());
  const forwarder = new Forwarder(settings);
  let isLost = false;
  while (!signal.aborted) {
    try {
      const isIdle = await forwarder.forwardWaiting();
      if (isLost) settings.onNote('Connected again.');
      isLost = false;
      if (isIdle) await sleep(POLL_MS, signal);
    } catch (error) {
      if (error instanceof ControlError && error.code === 'not_found') {
        // The sandbox started over with new data: all of its events are missing here.
        settings.onOpen(await open('start'));
        continue;
      }
      if (!isUnreachable(error)) throw error;
      if (!isLost) settings.onNote('The sandbox does not answer. Connecting again.');
      isLost = true;
      await sleep(RECONNECT_MS, signal);
    }
  }
}

/** Sends waiting deliveries one after another. */
class Forwarder {
  readonly #settings: ListenSettings;
  /** Number of attempts, and time of the next one, by delivery id. */
  readonly #retries = new Map<string, { readonly attempts: number; readonly at: number }>();
  /** Reports that the sandbox hasn't received yet, by delivery id. */
  readonly #unreported = new Map<string, ForwardReport>();
  #isDown = false;

  constructor(settings: ListenSettings) {
    this.#settings = settings;
  }

  /** Returns true if nothing was sent. */
  async forwardWaiting(): Promise<boolean> {
    const { client, listener, signal } = this.#settings;
    for (const [id, report] of this.#unreported) await this.#report(id, report);
    const { name, consumer } = listener;
    const page = { name, consumer, limit: WAITING_ROWS };
    const { deliveries } = await client.call('GET /listeners/{name}/deliveries', page);
    const now = performance.now();
    const due = deliveries.filter(({ id }) => (this.#retries.get(id)?.at ?? 0) <= now);
    for (const delivery of due) {
      if (signal.aborted) return true;
      if (!(await this.#forward(delivery))) return true;
    }
    return due.length === 0;
  }

  /** Returns false if nothing accepts connections there. The delivery then waits indefinitely. */
  async #forward(delivery: ForwardedDelivery): Promise<boolean> {
    const { url, retries, onResult, onNote } = this.#settings;
    const forwarded = await forward(url, delivery);
    if (forwarded.isDown) {
      if (!this.#isDown) onNote(`${forwarded.failure} Deliveries wait until ${url} answers.`);
      this.#isDown = true;
      return false;
    }
    if (this.#isDown) onNote(`${url} answers again.`);
    this.#isDown = false;
    const attempts = (this.#retries.get(delivery.id)?.attempts ?? 0) + 1;
    const retry = attempts > retries ? 'given-up' : 'retry';
    const result: ForwardReport['result'] = forwarded.failure === null ? 'delivered' : retry;
    if (result === 'retry') {
      const pause = Math.min(1_000 * 2 ** (attempts - 1), MAX_PAUSE_MS);
      this.#retries.set(delivery.id, { attempts, at: performance.now() + pause });
    } else this.#retries.delete(delivery.id);
    const { isDown: _, ...response } = forwarded;
    onResult({ delivery, result, forwarded });
    const report = { result, url, ...response };
    this.#unreported.set(delivery.id, report);
    await this.#report(delivery.id, report);
    return true;
  }

  async #report(id: string, report: ForwardReport): Promise<void> {
    const { client, listener } = this.#settings;
    try {
      await client.call('POST /listeners/{name}/deliveries/{id}', { name: listener.name, id, ...report });
    } catch (error) {
      // Otherwise a reset or a deletion has removed it.
      if (!(error instanceof ControlError && error.code === 'not_found')) throw error;
    }
    this.#unreported.delete(id);
  }
}

/** How long to wait for a response to begin, in milliseconds, like the service (spec, "Events", 5). */
const TIMEOUT_MS = 10_000;
const KEPT_BYTES = 4_000;
const HEADERS_MAX = 50;

/** Sends a delivery once, with its headers and the signed bytes. Doesn't follow redirects. Never rejects. */
async function forward(url: string, delivery: ForwardedDelivery): Promise<Forwarded> {
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: delivery.headers,
      body: Buffer.from(delivery.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const durationMs = duration();
    const { status } = response;
    return {
      durationMs,
      status,
      failure: response.ok ? null : failureOfStatus(status, response.headers),
      isDown: false,
      headers: headersOf(response.headers),
      body: await startOf(response),
    };
  } catch (error) {
    return { durationMs: duration(), status: null, ...failureOf(error), headers: {}, body: '' };
  }
}

function failureOfStatus(status: number, headers: Headers): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect
    ? `Responded with status ${status}, ${answerForm(status, headers)}. Redirects are not followed: forward to the final address.`
    : `Responded with status ${status}; only 2xx counts as received.`;
}

function headersOf(headers: Headers): Record<string, string> {
  const kept = [...headers]
    .slice(0, HEADERS_MAX)
    .map(([name, value]) => [name.slice(0, 200), value.slice(0, 4_000)]);
  return Object.fromEntries(kept);
}

/** Returns the start of a body, or whatever of it arrived. */
async function startOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= KEPT_BYTES) break;
    }
  } catch {
    // The status has arrived, and that decides.
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8');
}

function failureOf(error: unknown): Pick<Forwarded, 'failure' | 'isDown'> {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { failure: `No response within ${TIMEOUT_MS / 1000} seconds.`, isDown: false };
  }
  const { sentence, advice, wasConnected } = networkFailureOf(error);
  return { failure: `${sentence} ${advice}`, isDown: !wasConnected };
}
