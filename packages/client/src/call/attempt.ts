import { answerForm } from '@latchkey/contract/constants';
import { unlessAborted } from '../options/options.js';

/** The request of a call. Every attempt sends it unchanged. */
export interface PreparedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export type AttemptResult =
  | ReadResult
  | { readonly kind: 'network'; readonly cause: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted'; readonly cause: unknown };

/** Sends a request once and reads its response to the end. Never rejects, and takes at most `timeoutMs`. */
export async function attempt(
  send: typeof fetch,
  request: PreparedRequest,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<AttemptResult> {
  const deadline = new AbortController();
  const abort = () => deadline.abort(signal?.reason);
  const timer = setTimeout(() => deadline.abort(new Error('timeout')), timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    return await unlessAborted(deadline.signal, async (attemptSignal) =>
      readResponse(
        await send(request.url, {
          method: request.method,
          headers: request.headers,
          ...(request.body !== undefined && { body: request.body }),
          // Following a redirect could send the API key to another server.
          redirect: 'manual',
          credentials: 'omit',
          cache: 'no-store',
          signal: attemptSignal,
        }),
      ),
    );
  } catch (cause) {
    if (signal?.aborted) return { kind: 'aborted', cause: signal.reason };
    return deadline.signal.aborted ? { kind: 'timeout' } : { kind: 'network', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Maximum size of a response body in bytes, after decompression. Real responses have a few hundred. */
export const RESPONSE_MAX_BYTES = 1_000_000;

/** A response, with its body read to the end. */
export interface ServiceResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  /** What the body is, for error messages: `an HTML page`. */
  readonly form: string;
  /** The JSON object in the body, or `undefined` if the body contains anything else. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

type ReadResult =
  | { readonly kind: 'response'; readonly response: ServiceResponse }
  | { readonly kind: 'unreadable'; readonly status: number; readonly problem: string };

/** Reads a response to the end. Cancels the body if it's a redirect or too large. */
async function readResponse(response: Response): Promise<ReadResult> {
  const { status, headers } = response;
  // Some runtimes report a redirect that wasn't followed as status 0.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await cancelBody(response);
    const problem = `it is ${answerForm(status, headers)}, which the client does not follow because it would send the API key along. Check that serviceUrl is the final address of the service`;
    return { kind: 'unreadable', status, problem };
  }
  const bytes = await readBytes(response);
  if (bytes === undefined) {
    return { kind: 'unreadable', status, problem: `it has more than ${RESPONSE_MAX_BYTES} bytes` };
  }
  const retryAfter = headers.get('retry-after');
  return {
    kind: 'response',
    response: { status, retryAfter, form: answerForm(status, headers), body: jsonObject(bytes) },
  };
}

/** Returns the bytes of a body, or `undefined` if it is too large. */
async function readBytes(response: Response): Promise<Uint8Array | undefined> {
  if (Number(response.headers.get('content-length')) > RESPONSE_MAX_BYTES) {
    await cancelBody(response);
    return undefined;
  }
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (size > RESPONSE_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

async function cancelBody(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

function jsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a response means for the call. The failures are codes of `LatchkeyApiError`. */
export type ResponseResult =
  | { readonly kind: 'success'; readonly data: unknown }
  | { readonly kind: 'rejected' | 'failed' | 'failed_in_success' | 'unreadable_answer' };

/**
 * Classifies a response by its status, then by its body (spec, "Errors"). The first matching row applies:
 *
 * | status | body                        | result                                             |
 * | ------ | --------------------------- | -------------------------------------------------- |
 * | 5xx    | any                         | failed, also for the HTML page of a proxy          |
 * | any    | not a JSON object           | unreadable_answer: the service didn't send it      |
 * | 2xx    | `success` false             | failed_in_success                                  |
 * | 2xx    | `errorCode`, and no `data`  | failed_in_success                                  |
 * | 2xx    | any other object            | success, with or without `data`                    |
 * | 4xx    | `errorCode`                 | failed: only the endpoint itself sends one         |
 * | 400, 401, 403 | any other object     | rejected before the endpoint ran                   |
 * | 4xx    | `statusCode` or `path`      | rejected before the endpoint ran                   |
 * | 4xx    | any other object            | failed: every key of the envelope is optional      |
 */
export function classifyResponse({ status, body }: ServiceResponse): ResponseResult {
  if (status >= 500) return { kind: 'failed' };
  if (body === undefined || status < 200) return { kind: 'unreadable_answer' };
  const hasErrorCode = typeof body.errorCode === 'string';
  if (status >= 400) return { kind: !hasErrorCode && isRejection(status, body) ? 'rejected' : 'failed' };
  const hasData = body.data !== undefined && body.data !== null;
  if (body.success === false || (hasErrorCode && !hasData)) return { kind: 'failed_in_success' };
  return { kind: 'success', data: body.data };
}

/** Statuses that an endpoint itself sends only with an `errorCode` (spec, "Status codes"). */
const REJECTION_STATUSES = [400, 401, 403];

/**
 * True for the body of a rejection (spec, "Pre-endpoint rejection body"): it has keys that the envelope doesn't have.
 */
function isRejection(status: number, body: object): boolean {
  return REJECTION_STATUSES.includes(status) || 'statusCode' in body || 'path' in body;
}
