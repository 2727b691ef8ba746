import { unlessAborted } from '../options/sleep.js';
import { type ReadResult, readResponse } from './service-response.js';

/** A request that every attempt of a call sends unchanged. */
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

export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once and reads its response to the end. Never rejects, and takes at most `timeoutMs`. */
export async function attempt(
  send: typeof fetch,
  request: PreparedRequest,
  { timeoutMs, signal }: AttemptLimits,
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
          // A redirect could carry the API key to another server.
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
