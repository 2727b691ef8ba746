import { comparableEmail } from '@latchkey/contract';
import { networkFailureOf } from '@latchkey/contract/constants';
import type { DataRecord, RecordKind } from '@latchkey/sandbox';
import { type ControlCallName, ControlError, ControlClient as SandboxClient } from '@latchkey/sandbox/client';
import * as z from 'zod';
import { CommandFailure } from '../command-line/command-failure.js';
import { quoted } from '../command-line/text.js';
import { isLoopbackHost, origin, toggle } from '../command-line/values.js';

/** True if the sandbox didn't respond. A caller that follows events tries again. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ControlError && error.code === 'unreachable';
}

/** Rows per call when all records are read. */
const PAGE_ROWS = 1_000;

export interface SandboxTarget {
  /** Origin, without a trailing slash. */
  readonly sandbox: string;
  readonly token: string;
}

/** Calls the control API of one sandbox. Each call throws `ControlError`; {@link explained} says what to do then. */
export class ControlClient extends SandboxClient {
  readonly target: SandboxTarget;

  constructor({ sandbox, token }: SandboxTarget) {
    super({ origin: sandbox, token });
    this.target = { sandbox, token };
  }

  /** Makes a call whose name, and so its input, is only known at run time. */
  async callAny(name: ControlCallName, input: object): Promise<unknown> {
    return await Reflect.apply(this.call, this, [name, input]);
  }

  /** Returns all records of one kind, oldest first. */
  async records(kind: RecordKind): Promise<readonly DataRecord[]> {
    const all: DataRecord[] = [];
    let after: string | undefined;
    do {
      const page = await this.call('GET /data/{kind}', { kind, limit: PAGE_ROWS, after });
      all.push(...(page[kind] ?? []));
      after = page.next ?? undefined;
    } while (after !== undefined);
    return all;
  }
}

/** Explains a failure in terms of the command line: which flag or variable to change. The message contains no secret. */
export function explained(
  { code, status, message, cause }: ControlError,
  { sandbox }: Pick<SandboxTarget, 'sandbox'>,
): { code: string; message: string } {
  if (status === 421) {
    const fix = 'Use the address that it printed at its start, with --sandbox (or LATCHKEY_SANDBOX_URL).';
    const what = `The service at ${sandbox} answers to another host name only.`;
    return { code: 'wrong_host', message: `${what} ${fix}` };
  }
  if (code === 'unauthorized') {
    const fix = 'Set LATCHKEY_SANDBOX_TOKEN to the token that it printed at its start.';
    return { code, message: `The sandbox at ${sandbox} rejects the token. ${fix}` };
  }
  if (code === 'not_a_sandbox') {
    const what = message.replace(/^.*: it /, 'is not a sandbox with a control API: it ');
    const fix = 'Set the address of a sandbox with --sandbox (or LATCHKEY_SANDBOX_URL).';
    return { code, message: `${sandbox} ${what} ${fix}` };
  }
  if (code !== 'unreachable') return { code, message };
  const failure = networkFailureOf(cause);
  if (failure.code === 'UND_ERR_HEADERS_TIMEOUT') {
    const what = 'has not answered for 5 minutes, and may still work on it.';
    const fix = 'After a change of the clock, "latchkey clock" shows its time.';
    return { code: 'sandbox_busy', message: `The sandbox at ${sandbox} ${what} ${fix}` };
  }
  const fix =
    'Start one with "latchkey sandbox", or set its address with --sandbox (or LATCHKEY_SANDBOX_URL).';
  const check = failure.code === 'ECONNREFUSED' ? '' : ` ${failure.advice}`;
  return { code, message: `No sandbox answers at ${sandbox}: ${failure.reason}.${check} ${fix}` };
}

const SANDBOX = 'Sandbox';

export const controlSettings = z.object({
  sandbox: origin
    .refine(
      (text) => text.startsWith('https:') || isLoopbackHost(new URL(text).hostname),
      'must be an https origin, or http on a loopback address: the token is sent there',
    )
    .prefault('http://127.0.0.1:4400')
    .meta({
      group: SANDBOX,
      placeholder: 'origin',
      variable: 'LATCHKEY_SANDBOX_URL',
      description: 'Address of the running sandbox, as it printed it at its start.',
    }),
  json: toggle({ group: SANDBOX, description: 'Print JSON on standard output: one line for each result.' }),
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{24,200}$/, 'must be 24 to 200 letters, digits, - or _')
    .meta({
      variable: 'LATCHKEY_SANDBOX_TOKEN',
      description: 'Token of the control API, as the sandbox printed it at its start',
      isSecret: true,
      isVariableOnly: true,
    }),
});

/** Kinds of records with an id flag. */
const KINDS = {
  community: 'communities',
  membership: 'memberships',
  plan: 'plans',
  product: 'products',
  webhook: 'webhooks',
} as const satisfies Readonly<Record<string, RecordKind>>;

/** Finds a record by its id, or without an id the only one that matches. @throws CommandFailure with the choices. */
export async function findRecord(
  client: ControlClient,
  one: keyof typeof KINDS,
  { id, matches = () => true, ask = '' }: RecordChoice,
): Promise<DataRecord> {
  const records = (await client.records(KINDS[one])).filter(matches);
  const [found, ...others] =
    id === undefined ? records : records.filter((record) => record.id === id.toLowerCase());
  if (found !== undefined && others.length === 0) return found;
  const problem = id === undefined ? ask : `The sandbox has no ${one} ${quoted(id)}.`;
  const names = records
    .slice(0, 10)
    .map(({ id: known, name, productType, url }) => `${known} (${String(name ?? productType ?? url)})`);
  const choices =
    names.length === 0 ? `There are no ${KINDS[one]}.` : `The ${KINDS[one]} are ${names.join(', ')}.`;
  throw new CommandFailure(`${problem} ${choices}`);
}

interface RecordChoice {
  readonly id?: string | undefined;
  matches?(record: DataRecord): boolean;
  /** A sentence that asks for an id if several records match. */
  readonly ask?: string;
}

/** Finds a user by email address or id. @throws CommandFailure */
export async function findUser(client: ControlClient, user: string): Promise<{ id: string; name: string }> {
  const wanted = comparableEmail(user);
  const found = (await client.records('users')).find(
    ({ id, email }) => id === wanted || String(email).toLowerCase() === wanted,
  );
  if (found === undefined) throw new CommandFailure(`The sandbox has no user ${quoted(user)}.`);
  return { id: String(found.id), name: String(found.email ?? found.id) };
}
