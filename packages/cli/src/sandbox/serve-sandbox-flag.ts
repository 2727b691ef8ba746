import * as z from 'zod';
import type { Environment } from '../command-line/read-settings.js';
import { UsageError } from '../command-line/usage-error.js';

const FLAG = /^--sandbox(?:=|$)/;
const VARIABLE = 'LATCHKEY_SANDBOX';
const truth = z.stringbool();

/**
 * Rejects `serve --sandbox` and its variable, which earlier versions had. Without the error, a start script for a sandbox
 * would start a production service.
 *
 * @throws UsageError if the flag is present, or its variable has any value other than false.
 */
export function rejectSandboxFlag(args: readonly string[], env: Environment): void {
  const [command, ...rest] = args;
  if (command !== 'serve') return;
  if (rest.some((arg) => FLAG.test(arg))) throw removed('--sandbox');
  const value = env[VARIABLE] ?? '';
  if (value !== '' && truth.safeParse(value).data !== false) throw removed(VARIABLE);
}

function removed(name: string): UsageError {
  return new UsageError([`${name} was removed. Use "latchkey sandbox".`]);
}
