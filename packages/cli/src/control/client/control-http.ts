import { ControlFailure } from './control-failure.js';

/** Milliseconds until an answer must begin. Moving the clock by years takes longest. */
const TIMEOUT_MS = 280_000;

/** Address and token of a sandbox. */
export interface SandboxTarget {
  /** Origin, without a slash at its end. */
  readonly sandbox: string;
  readonly token: string;
}

export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below `/sandbox/api`, percent-encoded. */
  readonly path: string;
  /** Query. Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Field that the answer must have. An answer without it comes from another program. */
  readonly expects?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls the control API and returns the parsed answer.
 *
 * @throws ControlFailure
 */
export async function callControl(target: SandboxTarget, call: ControlCall): Promise<unknown> {
  const { method, body, signal } = call;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await send(target, call, {
    method,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  });
  if (response.status === 204) return undefined;
  const answer = parsed(await textOf(response, target));
  const isExpected =
    call.expects === undefined || (typeof answer === 'object' && answer !== null && call.expects in answer);
  if (isExpected) return answer;
  throw notASandbox(target, response.status);
}

/**
 * Opens the stream of server-sent events.
 *
 * @throws ControlFailure
 */
export async function openStream(
  target: SandboxTarget,
  { signal }: { signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(target, { path: '/stream' }, { method: 'GET', signal });
  if (response.body !== null && /^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
    return response.body;
  }
  throw notASandbox(target, response.status);
}

async function send(
  target: SandboxTarget,
  { path, query = {} }: Pick<ControlCall, 'path' | 'query'>,
  init: RequestInit,
): Promise<Response> {
  const url = new URL(`${target.sandbox}/sandbox/api${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = { Authorization: `Bearer ${target.token}`, 'Content-Type': 'application/json' };
  let response: Response;
  try {
    // The target of a redirect must not receive the token.
    response = await fetch(url, { ...init, headers, redirect: 'manual' });
  } catch (error) {
    throw unreachable(target, error);
  }
  if (response.ok) return response;
  throw failureOf(target, response.status, parsed(await textOf(response, target)));
}

async function textOf(response: Response, target: SandboxTarget): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw unreachable(target, error);
  }
}

function failureOf(target: SandboxTarget, status: number, answer: unknown): ControlFailure {
  const { sandbox } = target;
  if (status === 421) {
    const message = `The service at ${sandbox} answers to another host name only. Use the address that it printed at its start, with --sandbox (or LATCHKEY_SANDBOX_URL).`;
    return new ControlFailure('wrong_host', message);
  }
  const { code, message } = errorOf(answer);
  if (code === undefined || message === undefined) return notASandbox(target, status);
  if (code === 'unauthorized') {
    return new ControlFailure(
      code,
      `The sandbox at ${sandbox} rejects the token. Set LATCHKEY_SANDBOX_TOKEN to the token that it printed at its start.`,
    );
  }
  return new ControlFailure(code, message);
}

/** Code and message of `{ "error": { code, message, fields } }`. Only the control API has all three. */
function errorOf(answer: unknown): { code?: string; message?: string } {
  const { error } = (answer ?? {}) as { error?: unknown };
  if (typeof error !== 'object' || error === null || !('fields' in error)) return {};
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : {};
}

function notASandbox({ sandbox }: SandboxTarget, status: number): ControlFailure {
  return new ControlFailure(
    'not_a_sandbox',
    `${sandbox} is not a sandbox with a control API: it answered with status ${status}. Set the address of a sandbox with --sandbox (or LATCHKEY_SANDBOX_URL).`,
  );
}

function unreachable({ sandbox }: SandboxTarget, error: unknown): ControlFailure {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ControlFailure(
      'sandbox_busy',
      `The sandbox at ${sandbox} has not answered for ${TIMEOUT_MS / 1000} seconds, and may still work on it. After a change of the clock, "latchkey clock" shows its time.`,
      { cause: error },
    );
  }
  return new ControlFailure(
    'unreachable',
    `No sandbox answers at ${sandbox} (${reasonOf(error)}). Start one with "latchkey sandbox", or set its address with --sandbox (or LATCHKEY_SANDBOX_URL).`,
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  if (cause?.code !== undefined) return cause.code;
  return error instanceof Error ? error.message : String(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
