import { openStream, type SandboxTarget } from './control-http.js';

/** Message of the sandbox's stream. */
export interface StreamMessage {
  /** `connected` is the first one. The others are the types of the control API. */
  readonly type: string;
}

/** Reads the stream once. Ends when the connection ends or the signal aborts; the caller connects again. */
export async function* streamMessages(
  target: SandboxTarget,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const body = await openStream(target, { signal });
  yield { type: 'connected' };
  const decoder = new TextDecoder();
  let unread = '';
  try {
    for await (const bytes of body) {
      unread += decoder.decode(bytes, { stream: true });
      const lines = unread.split('\n');
      unread = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('event: ')) yield { type: line.slice('event: '.length) };
      }
    }
  } catch {
    // The connection broke, or the signal aborted.
  }
}
