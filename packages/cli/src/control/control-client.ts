import { networkFailureOf } from '@latchkey/contract/constants';
import type { DataRecord, RecordKind } from '@latchkey/sandbox';
import { ControlError, ControlClient as SandboxClient } from '@latchkey/sandbox/client';

/** True if the sandbox didn't respond. A caller that follows events tries again. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ControlError && error.code === 'unreachable';
}

/** Rows per call when all records are read. */
const PAGE_ROWS = 1_000;

/** Address and token of a sandbox. */
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
export function explained(error: ControlError, { sandbox }: Pick<SandboxTarget, 'sandbox'>): ControlError {
  const [code, message] = explanationOf(error, sandbox);
  return new ControlError(message, { code, status: error.status, cause: error });
}

function explanationOf({ code, status, message, cause }: ControlError, sandbox: string): [string, string] {
  if (status === 421) {
    const fix = 'Use the address that it printed at its start, with --sandbox (or LATCHKEY_SANDBOX_URL).';
    return ['wrong_host', `The service at ${sandbox} answers to another host name only. ${fix}`];
  }
  if (code === 'unauthorized') {
    const fix = 'Set LATCHKEY_SANDBOX_TOKEN to the token that it printed at its start.';
    return [code, `The sandbox at ${sandbox} rejects the token. ${fix}`];
  }
  if (code === 'not_a_sandbox') {
    const what = message.replace(/^.*: it /, 'is not a sandbox with a control API: it ');
    const fix = 'Set the address of a sandbox with --sandbox (or LATCHKEY_SANDBOX_URL).';
    return [code, `${sandbox} ${what} ${fix}`];
  }
  if (code !== 'unreachable') return [code, message];
  const failure = networkFailureOf(cause);
  if (failure.code === 'UND_ERR_HEADERS_TIMEOUT') {
    const what = 'has not answered for 5 minutes, and may still work on it.';
    const fix = 'After a change of the clock, "latchkey clock" shows its time.';
    return ['sandbox_busy', `The sandbox at ${sandbox} ${what} ${fix}`];
  }
  const fix =
    'Start one with "latchkey sandbox", or set its address with --sandbox (or LATCHKEY_SANDBOX_URL).';
  const check = failure.code === 'ECONNREFUSED' ? '' : ` ${failure.advice}`;
  return [code, `No sandbox answers at ${sandbox}: ${failure.reason}.${check} ${fix}`];
}
