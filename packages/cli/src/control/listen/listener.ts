import type { ForwardedDelivery, ListenerEntry } from '@latchkey/sandbox';
import type { ControlClient, ForwardReport, ListenerToOpen } from '../client/control-client.js';
import { ControlFailure, isUnreachable } from '../client/control-failure.js';
import { sleep } from '../follow/sleep.js';
import { type Forwarded, forward } from './forward.js';

/** Milliseconds between two requests for new deliveries. */
const POLL_MS = 400;
/** Milliseconds between two attempts to connect. */
const RECONNECT_MS = 1_000;
/** Longest pause before a delivery is sent again, in milliseconds. */
const MAX_PAUSE_MS = 30_000;

/** Attempt to forward a delivery, for the output. */
export interface ForwardResult {
  readonly delivery: ForwardedDelivery;
  readonly result: ForwardReport['result'];
  readonly forwarded: Forwarded;
}

export interface ListenSettings {
  readonly client: ControlClient;
  readonly listener: ListenerToOpen;
  readonly url: string;
  /** Number of times that a delivery is sent again after a response that is not 2xx. */
  readonly retries: number;
  readonly signal: AbortSignal;
  onOpen(listener: ListenerEntry): void;
  onResult(result: ForwardResult): void;
  /** Called with a sentence when something is unreachable or reachable again. */
  onNote(text: string): void;
}

/**
 * Forwards deliveries until the signal aborts. The sandbox stores which ones are done, so a restart of either side loses
 * none. A delivery is sent again if this program ended before it could report, with the same event id.
 *
 * @throws ControlFailure if the sandbox rejects the first call, or another program has opened the same listener.
 */
export async function listen(settings: ListenSettings): Promise<void> {
  const { client, listener, signal } = settings;
  settings.onOpen(await client.openListener(listener));
  const forwarder = new Forwarder(settings);
  let isLost = false;
  while (!signal.aborted) {
    try {
      const isIdle = await forwarder.forwardWaiting();
      if (isLost) settings.onNote('Connected again.');
      isLost = false;
      if (isIdle) await sleep(POLL_MS, signal);
    } catch (error) {
      if (error instanceof ControlFailure && error.code === 'not_found') {
        // The sandbox began again, with other data. All of its events are missed ones.
        settings.onOpen(await client.openListener({ ...listener, from: 'start' }));
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
  /** Attempts and time of the next one, by delivery id. */
  readonly #retries = new Map<string, { readonly attempts: number; readonly at: number }>();
  /** Reports that the sandbox has not received, by delivery id. */
  readonly #unreported = new Map<string, ForwardReport>();
  #isDown = false;

  constructor(settings: ListenSettings) {
    this.#settings = settings;
  }

  /** Returns true if nothing was sent. */
  async forwardWaiting(): Promise<boolean> {
    const { client, listener, signal } = this.#settings;
    for (const [id, report] of this.#unreported) await this.#report(id, report);
    const waiting = await client.waitingDeliveries(listener.name, listener.consumer);
    const now = performance.now();
    const due = waiting.filter(({ id }) => (this.#retries.get(id)?.at ?? 0) <= now);
    for (const delivery of due) {
      if (signal.aborted) return true;
      if (!(await this.#forward(delivery))) return true;
    }
    return due.length === 0;
  }

  /** Returns false if nothing accepts connections at the address. The delivery then waits without a limit. */
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
    const result = resultOf(forwarded, attempts > retries);
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
      await client.reportForward(listener.name, id, report);
    } catch (error) {
      // Otherwise a reset or a deletion has removed it.
      if (!(error instanceof ControlFailure && error.code === 'not_found')) throw error;
    }
    this.#unreported.delete(id);
  }
}

function resultOf({ failure }: Forwarded, isLast: boolean): ForwardReport['result'] {
  if (failure === null) return 'delivered';
  return isLast ? 'given-up' : 'retry';
}
