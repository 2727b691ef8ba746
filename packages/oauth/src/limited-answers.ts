import { PATHS } from '@latchkey/contract/constants';

/** Maximum size of a response body in bytes, after decompression. Real responses have a few thousand. */
export const ANSWER_MAX_BYTES = 1_000_000;

/**
 * Maximum size of a list of memberships in bytes. The list is complete and isn't paginated (spec, "Limits"). A
 * membership takes about 150 bytes, so 16 MB hold 100,000. A lower limit would lock out users with many memberships.
 */
export const MEMBERSHIPS_MAX_BYTES = 16_000_000;

/**
 * Wraps `fetch` to keep a response from filling a server's memory. Browsers don't need it.
 *
 * The limit is 1,000,000 bytes, or 16,000,000 bytes for a list of memberships. A larger body is cancelled, and the
 * wrapper returns status 500 with the error `answer_too_large`: the call rejects with `service_error` and this `error`.
 *
 * @param send sends the requests. Defaults to the global `fetch`.
 * @example
 * const service = { serviceUrl, clientId, fetch: limitAnswers() };
 */
export function limitAnswers(send?: typeof fetch | undefined): typeof fetch {
  return async (input, init) => {
    const response = await (send ?? fetch)(input, init);
    if (response.body === null) return response;
    // Only a successful response can be a list. The response doesn't say which endpoint it's from, but the request
    // does.
    const limit = response.ok && isMembershipsUrl(input) ? MEMBERSHIPS_MAX_BYTES : ANSWER_MAX_BYTES;
    const bytes = await readAtMost(limit, response.body, response.headers);
    if (bytes === undefined) {
      const description = `the response with status ${response.status} exceeds ${limit} bytes`;
      return Response.json({ error: 'answer_too_large', error_description: description }, { status: 500 });
    }
    const { status, headers } = response;
    return new Response(bytes.length === 0 ? null : new Blob(bytes), { status, headers });
  };
}

function isMembershipsUrl(input: RequestInfo | URL): boolean {
  const [path = ''] = (input instanceof Request ? input.url : String(input)).split(/[?#]/);
  return path.endsWith(PATHS.memberships);
}

/** Returns the chunks of a body, or undefined if the body is larger than the limit. */
async function readAtMost(
  limit: number,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  headers: Headers,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const reader = body.getReader();
  try {
    if (Number(headers.get('content-length')) > limit) return undefined;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return chunks;
      size += value.length;
      if (size > limit) return undefined;
      chunks.push(value);
    }
  } finally {
    // Closes the connection if the body was not read to its end.
    reader.cancel().catch(() => {});
  }
}
