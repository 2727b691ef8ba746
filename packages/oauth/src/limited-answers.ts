/** Maximum size of a response body in bytes, after decompression. Real responses have a few thousand. */
export const ANSWER_MAX_BYTES = 1_000_000;

/**
 * Wraps `fetch` so that a response cannot fill the memory of a server. Browsers do not need it.
 *
 * A response body over 1,000,000 bytes is cancelled. The wrapper then returns status 502 with the error
 * `answer_too_large`, so the call rejects with `service_error` and that `error`.
 *
 * @param send Sends the requests. Defaults to the global `fetch`.
 * @example
 * const service = { serviceUrl, clientId, fetch: limitAnswers() };
 */
export function limitAnswers(send?: typeof fetch | undefined): typeof fetch {
  return async (input, init) => {
    const response = await (send ?? fetch)(input, init);
    if (response.body === null) return response;
    const bytes = await readAtMost(response.body, response.headers);
    if (bytes === undefined) {
      const description = `the response with status ${response.status} exceeds ${ANSWER_MAX_BYTES} bytes`;
      return Response.json({ error: 'answer_too_large', error_description: description }, { status: 502 });
    }
    const { status, headers } = response;
    return new Response(bytes.length === 0 ? null : new Blob(bytes), { status, headers });
  };
}

/** Returns the chunks of a body, or undefined if the body is too large. */
async function readAtMost(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  headers: Headers,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const reader = body.getReader();
  try {
    if (Number(headers.get('content-length')) > ANSWER_MAX_BYTES) return undefined;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return chunks;
      size += value.length;
      if (size > ANSWER_MAX_BYTES) return undefined;
      chunks.push(value);
    }
  } finally {
    // Closes the connection if the body was not read to its end.
    reader.cancel().catch(() => {});
  }
}
