/** Maximum size of a response body in bytes, after decompression. Real responses have a few hundred. */
export const RESPONSE_MAX_BYTES = 1_000_000;

/** A response whose body was read to the end. */
export interface ServiceResponse {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | null;
  /** The JSON object in the body, or `undefined` if the body contains anything else. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

export type ReadResult =
  | { readonly kind: 'response'; readonly response: ServiceResponse }
  | { readonly kind: 'unreadable'; readonly status: number; readonly problem: string };

/** Reads a response to the end. Cancels the body of a redirect, and one that is too large. */
export async function readResponse(response: Response): Promise<ReadResult> {
  const { status, headers } = response;
  // Some runtimes report a redirect that is not followed as status 0.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await cancelBody(response);
    const problem =
      'it is a redirect, which the client does not follow because it would send the API key along. Check that serviceUrl is the final address of the service';
    return { kind: 'unreadable', status, problem };
  }
  const bytes = await readBytes(response);
  if (bytes === undefined) {
    return { kind: 'unreadable', status, problem: `it has more than ${RESPONSE_MAX_BYTES} bytes` };
  }
  const retryAfter = headers.get('retry-after');
  return { kind: 'response', response: { status, retryAfter, body: jsonObject(bytes) } };
}

/** Returns the bytes of a body, or `undefined` if it is too large. */
async function readBytes(response: Response): Promise<Uint8Array | undefined> {
  if (Number(response.headers.get('content-length')) > RESPONSE_MAX_BYTES) {
    await cancelBody(response);
    return undefined;
  }
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response.body)) {
    size += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (size > RESPONSE_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Closes the connection if the body was not read to the end.
    await reader.cancel().catch(() => {});
  }
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
