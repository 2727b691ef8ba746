import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { isUnreachable } from './control-client.js';
import type { ControlContext } from './control-command.js';

/** A setting of commands that print past entries, and follow new ones: how many of the past ones to print. */
export const pastEntries = (entries: string) => {
  const description = `Number of past ${entries} to print.`;
  return z.int().min(1).max(500).default(20).meta({ placeholder: 'number', description });
};

/** Milliseconds between two attempts to connect. */
const RETRY_MS = 1_000;

/** Follows a sandbox until the signal aborts, and reconnects. @throws ControlError */
export async function followChanges(
  { client, note }: Pick<ControlContext, 'client' | 'note'>,
  signal: AbortSignal,
  {
    types,
    onChange,
  }: {
    /** `onChange` runs after messages of these types. */
    types: readonly string[];
    /** Reads the changes. Runs after each connection and after changes, never twice at once. */
    onChange(): Promise<void>;
  },
): Promise<void> {
  let hasConnected = false;
  while (!signal.aborted) {
    const stop = new AbortController();
    let isConnected = false;
    let isStale = false;
    let running: Promise<void> | undefined;
    let failure: unknown;
    const readUntilFresh = async () => {
      while (isStale) {
        isStale = false;
        await onChange();
      }
      running = undefined;
    };
    try {
      for await (const { type } of client.stream(AbortSignal.any([signal, stop.signal]))) {
        isConnected = hasConnected = true;
        if (type !== 'connected' && !types.includes(type)) continue;
        isStale = true;
        running ??= readUntilFresh().catch((error: unknown) => {
          failure = error;
          stop.abort();
        });
      }
      await running;
      if (failure !== undefined) throw failure;
    } catch (error) {
      if (signal.aborted) return;
      if (!hasConnected || !isUnreachable(error)) throw error;
    }
    if (signal.aborted) return;
    if (isConnected) note('The connection is lost. Connecting again.');
    await sleep(RETRY_MS, signal);
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
