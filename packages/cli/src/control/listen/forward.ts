import { performance } from 'node:perf_hooks';
import type { ForwardedDelivery } from '@latchkey/sandbox';

/** Milliseconds until a response must begin, as the service waits (spec, "Events", 5). */
const TIMEOUT_MS = 10_000;
/** Bytes of a response that are reported. */
const KEPT_BYTES = 4_000;
const HEADERS_MAX = 50;

/** Response of the address, or the reason that there is none. */
export interface Forwarded {
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Null if it succeeded. */
  readonly failure: string | null;
  /** True if nothing accepts connections there. The delivery has not arrived. */
  readonly isDown: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a delivery once, with its headers and the bytes that are signed. Redirects are not followed. Never rejects. */
export async function forward(url: string, delivery: ForwardedDelivery): Promise<Forwarded> {
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: delivery.headers,
      body: Buffer.from(delivery.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const durationMs = duration();
    const { status } = response;
    return {
      durationMs,
      status,
      failure: response.ok ? null : `Responded with status ${status}; only 2xx counts as received.`,
      isDown: false,
      headers: headersOf(response.headers),
      body: await startOf(response),
    };
  } catch (error) {
    return { durationMs: duration(), status: null, ...failureOf(error), headers: {}, body: '' };
  }
}

function headersOf(headers: Headers): Record<string, string> {
  const kept = [...headers]
    .slice(0, HEADERS_MAX)
    .map(([name, value]) => [name.slice(0, 200), value.slice(0, 4_000)]);
  return Object.fromEntries(kept);
}

/** Returns the start of a body. A body that breaks off is shown as far as it arrived. */
async function startOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= KEPT_BYTES) break;
    }
  } catch {
    // The status has arrived, and it decides.
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8');
}

/** Errors of a connection that was never open. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

function failureOf(error: unknown): Pick<Forwarded, 'failure' | 'isDown'> {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { failure: `No response within ${TIMEOUT_MS / 1000} seconds.`, isDown: false };
  }
  const { cause } = error as { cause?: { code?: string; errors?: readonly { code?: string }[] } };
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? '';
  if (NOT_CONNECTED.test(code))
    return { failure: `Nothing accepts connections there (${code}).`, isDown: true };
  return { failure: 'The connection was closed before a response arrived.', isDown: false };
}
