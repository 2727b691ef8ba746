import { setTimeout } from 'node:timers/promises';
import { type ControlClient, isUnreachable } from './control-client.js';

/** Milliseconds between two attempts to connect. */
const RETRY_MS = 1_000;

/**
 * Follows a sandbox until the signal aborts. Reconnects after a lost connection.
 *
 * @throws ControlError if the sandbox rejects the first connection, or rejects a later one although it's running.
 */
export async function followChanges({
  client,
  types,
  onChange,
  onLost,
  signal,
}: {
  client: ControlClient;
  /** `onChange` runs after messages of these types. */
  types: readonly string[];
  /** Reads the changes. Runs after each connection and after changes, never twice at once. */
  onChange(): Promise<void>;
  /** Runs when the connection is lost. */
  onLost(): void;
  signal: AbortSignal;
}): Promise<void> {
  let isConnected = false;
  let isFirst = true;
  while (!signal.aborted) {
    const stop = new AbortController();
    const reader = new ChangeReader(onChange, () => stop.abort());
    try {
      for await (const { type } of client.stream(AbortSignal.any([signal, stop.signal]))) {
        isConnected = true;
        if (type === 'connected' || types.includes(type)) reader.run();
      }
      await reader.finish();
    } catch (error) {
      if (signal.aborted) return;
      if (isFirst && !isConnected) throw error;
      if (!isUnreachable(error)) throw error;
    }
    if (signal.aborted) return;
    if (isConnected) onLost();
    isConnected = false;
    isFirst = false;
    await sleep(RETRY_MS, signal);
  }
}

/** Runs the reader of changes, never twice at once. Changes during a run cause one more run. */
class ChangeReader {
  readonly #read: () => Promise<void>;
  readonly #onError: () => void;
  #running: Promise<void> | undefined;
  #isStale = false;
  #error: unknown;

  constructor(read: () => Promise<void>, onError: () => void) {
    this.#read = read;
    this.#onError = onError;
  }

  run(): void {
    this.#isStale = true;
    this.#running ??= this.#readUntilFresh();
  }

  /** Waits for the last run, and throws its error. */
  async finish(): Promise<void> {
    await this.#running;
    if (this.#error !== undefined) throw this.#error;
  }

  async #readUntilFresh(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#read();
      }
    } catch (error) {
      this.#error = error;
      this.#onError();
    } finally {
      this.#running = undefined;
    }
  }
}

/** Resolves to undefined if the work fails because the signal aborted it. */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}

/** Waits until the time is over or the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Returns a signal that aborts on Ctrl-C, on SIGTERM, and when nobody reads standard output any more. Call it before
 * the command prints anything or waits: an earlier Ctrl-C ends the process with a failure.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // Only the first one: a second Ctrl-C ends the process.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.on('error', stop);
  return controller.signal;
}
