import { PATHS } from '@latchkey/contract/constants';
import * as z from 'zod';

const endpointNames = Object.keys(PATHS) as [keyof typeof PATHS, ...(keyof typeof PATHS)[]];

/** Milliseconds that a fault may wait. Longer than the time limit of any client. */
const MAX_MS = 120_000;

const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: z.int().min(1).max(MAX_MS) }),
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599) }),
  z.strictObject({ kind: z.literal('reset') }),
  z.strictObject({ kind: z.literal('answer-lost') }),
  z.strictObject({ kind: z.literal('malformed') }),
  z.strictObject({ kind: z.literal('drip'), ms: z.int().min(1).max(MAX_MS) }),
]);

/** Change of a call. */
export type FaultEffect = z.output<typeof effect>;

/** Fault to add. */
export const faultInput = z.strictObject({
  effect: effect.describe(
    'latency: waits `ms` before the call. status: answers with `status` in place of the endpoint. reset: resets the connection before the call. answer-lost: the endpoint does its work, then the connection is reset. malformed: half of the body. drip: sends the body in ten parts over `ms`.',
  ),
  endpoint: z
    .enum(endpointNames)
    .optional()
    .describe('One of the twelve endpoints. Without it, all logged calls.'),
  client: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Client id, key name, or id or email of the key’s owner. Without it, all callers.'),
  times: z.int().min(1).max(1_000_000).optional().describe('Changes this many calls, then no more.'),
  rate: z.number().gt(0).max(1).optional().describe('Share of the calls that are changed.'),
  seed: z
    .int()
    .min(0)
    .max(0xffffffff)
    .default(1)
    .describe('Start of the random numbers for `rate`. The same seed changes the same calls.'),
});

/** Fault to add, as callers write it. */
export type FaultInput = z.input<typeof faultInput>;

/** Active fault. */
export interface Fault extends z.output<typeof faultInput> {
  readonly id: string;
  /** Number of calls that it matched. */
  readonly seen: number;
  /** Number of calls that it changed. */
  readonly changed: number;
}

/** Returns numbers from 0 to below 1 that depend on the seed only (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
