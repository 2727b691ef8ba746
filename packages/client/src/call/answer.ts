/** Most bytes that an answer may have once it is unpacked. What the service sends has a few hundred. */
export const ANSWER_MAX_BYTES = 1_000_000;

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The JSON object of the body; `undefined` when it is anything else. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Why an answer was not read. */
export interface UnreadAnswer {
  readonly status: number;
  readonly problem: string;
}

/** Reads a response to its end, unless it leads elsewhere or is too large: then it is given up at once. */
export async function readAnswer(response: Response): Promise<Answer | UnreadAnswer> {
  const { status, headers } = response;
  // Status 0 is what the fetch of other runtimes gives for a redirect that is not followed.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await discard(response);
    return {
      status,
      problem:
        'it is a redirect, which is not followed: the API key would go along. Is serviceUrl the final address?',
    };
  }
  const bytes = await readBytes(response);
  if (bytes === undefined) return { status, problem: `it has more than ${ANSWER_MAX_BYTES} bytes` };
  return { status, retryAfter: headers.get('retry-after'), body: jsonObject(bytes) };
}

/** The bytes of a body; `undefined` when there are too many. */
async function readBytes(response: Response): Promise<Uint8Array | undefined> {
  if (Number(response.headers.get('content-length')) > ANSWER_MAX_BYTES) {
    await discard(response);
    return undefined;
  }
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response.body)) {
    size += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (size > ANSWER_MAX_BYTES) return undefined;
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
    // Of no consequence where the body was read to its end, or broke.
    await reader.cancel().catch(() => {});
  }
}

async function discard(response: Response): Promise<void> {
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

/** Tells a JSON object from every other value, arrays included. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
