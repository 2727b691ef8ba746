import { unlessAborted } from '../options/sleep.js';
import { type Answer, readAnswer } from './answer.js';

/** One request, ready to be sent, and sent again, as it is. */
export interface PreparedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** How one attempt ended. */
export type AttemptOutcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'unreadable'; readonly status: number; readonly problem: string }
  | { readonly kind: 'network'; readonly cause: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted'; readonly cause: unknown };

/** What bounds one attempt. */
export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once and reads its answer to the end. Never rejects, and never takes longer than `timeoutMs`. */
export async function attempt(
  send: typeof fetch,
  request: PreparedRequest,
  { timeoutMs, signal }: AttemptLimits,
): Promise<AttemptOutcome> {
  const deadline = new AbortController();
  const abort = () => deadline.abort(signal?.reason);
  const timer = setTimeout(() => deadline.abort(new Error('timeout')), timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    const read = await unlessAborted(deadline.signal, async (ended) =>
      readAnswer(
        await send(request.url, {
          method: request.method,
          headers: request.headers,
          ...(request.body !== undefined && { body: request.body }),
          // The key must not follow a redirect to wherever it leads.
          redirect: 'manual',
          credentials: 'omit',
          cache: 'no-store',
          signal: ended,
        }),
      ),
    );
    return 'problem' in read ? { kind: 'unreadable', ...read } : { kind: 'answer', answer: read };
  } catch (cause) {
    if (signal?.aborted) return { kind: 'aborted', cause: signal.reason };
    return deadline.signal.aborted ? { kind: 'timeout' } : { kind: 'network', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
