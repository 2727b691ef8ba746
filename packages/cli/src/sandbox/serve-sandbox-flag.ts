import * as z from 'zod';
import { quoted } from '../command-line/quoted.js';
import type { Environment } from '../command-line/read-settings.js';
import { UsageError } from '../command-line/usage-error.js';

const FLAG = /^--sandbox(?:=|$)/;
const VARIABLE = 'LATCHKEY_SANDBOX';
const truth = z.stringbool();

/** Variables that {@link replaceSandboxFlag} reads. */
export const SANDBOX_FLAG_VARIABLES: readonly string[] = [VARIABLE];

/**
 * Replaces `serve --sandbox`, the earlier form of the command, by `sandbox`. Other arguments are returned unchanged.
 *
 * @throws UsageError if the flag or its variable is neither true nor false.
 */
export function replaceSandboxFlag(args: readonly string[], env: Environment): readonly string[] {
  const [command, ...rest] = args;
  if (command !== 'serve') return args;
  const flag = rest.findLast((arg) => FLAG.test(arg));
  const text = flag === undefined ? (env[VARIABLE] ?? '') : flag.slice('--sandbox='.length) || 'true';
  if (text === '') return args;
  const { data: isSandbox } = truth.safeParse(text);
  if (isSandbox === undefined) {
    const name = flag === undefined ? VARIABLE : '--sandbox';
    throw new UsageError([`${name}: must be true or false; got ${quoted(text)}.`]);
  }
  return [isSandbox ? 'sandbox' : 'serve', ...rest.filter((arg) => !FLAG.test(arg))];
}
