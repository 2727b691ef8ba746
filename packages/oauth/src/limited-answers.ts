import { PATHS } from '@latchkey/contract/constants';

/** Maximum size of a response body in bytes, after decompression. Real responses have a few thousand. */
export const ANSWER_MAX_BYTES = 1_000_000;

/**
 * Maximum size of a list of memberships in bytes. The list is complete and has no pages (spec, "Limits"). A membership
 * has about 150 bytes, so 16 MB hold 100,000 of them. A shorter limit would lock out a user with many memberships.
 */
export const MEMBERSHIPS_MAX_BYTES = 16_000_000;

/**
 * Wraps `fetch` so that a response cannot fill the memory of a server. Browsers do not need it.
 *
 * A response body over 1,000,000 bytes is cancelled, and a list of memberships over 16,000,000 bytes. The wrapper then
 * returns status 502 with the error `answer_too_large`, so the call rejects with `service_error` and that `error`.
 *
 * @param send Sends the requests. Defaults to the global `fetch`.
 * @example
 * const service = { serviceUrl, clientId, fetch: limitAnswers() };
 */
export function limitAnswers(send?: typeof fetch | undefined): typeof fetch {
  return async (input, init) => {
    const response = await (send ?? fetch)(input, init);
    if (response.body === null) return response;
    // Only a successful response can be a list. The limit follows the request, because the response names no endpoint.
    const limit = response.ok && isMembershipsUrl(input) ? MEMBERSHIPS_MAX_BYTES : ANSWER_MAX_BYTES;
    const bytes = await readAtMost(limit, response.body, response.headers);
    if (bytes === undefined) {
      const description = `the response with status ${response.status} exceeds ${limit} bytes`;
      return Response.json({ error: 'answer_too_large', error_description: description }, { status: 502 });
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
