import { isError } from '@latchkey/contract/constants';
import { Missing } from '../session/answer.js';

export interface SandboxAccess {
  /** Origin of the sandbox, without a trailing slash. */
  readonly sandbox: string;
  readonly token: string;
}

/** How long a response may take, in milliseconds. Moving the clock by a month takes longest. */
const TIMEOUT_MS = 120_000;

/**
 * Calls the control API of a sandbox.
 *
 * @throws Missing if the sandbox doesn't respond, or responds with a failure.
 */
export async function control(
  { sandbox, token }: SandboxAccess,
  call: { readonly method?: 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly body?: object },
): Promise<Record<string, unknown>> {
  const { method = 'GET', path, body } = call;
  const response = await fetch(`${sandbox}/sandbox/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  }).catch((error: unknown) => {
    throw new Missing(`no sandbox answers at ${sandbox}: ${isError(error) ? error.message : error}`);
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Missing(
      `the sandbox answered ${method} ${path} with ${response.status}: ${text.slice(0, 200)}`,
    );
  }
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Creates a record and returns one of its fields. */
export async function create(
  access: SandboxAccess,
  kind: string,
  { body, field = 'id' }: { readonly body: object; readonly field?: string },
): Promise<string> {
  return String((await control(access, { method: 'POST', path: `/data/${kind}`, body }))[field]);
}
