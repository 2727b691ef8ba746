/** Most bytes that an answer may have once it is unpacked. What the service sends has a few thousand. */
export const ANSWER_MAX_BYTES = 1_000_000;

/**
 * A `fetch` for servers, which must not let an answer fill their memory: `{ ...service, fetch: limitAnswers() }`. One that
 * is too large is given up as soon as that shows, and stands there as a gateway would have it: status 502 with the error
 * `answer_too_large`, so that a call rejects with `service_error` and that `error`. Browsers do without it.
 *
 * @param send What sends the requests. Default: the global `fetch`.
 */
export function limitAnswers(send?: typeof fetch | undefined): typeof fetch {
  return async (input, init) => {
    const response = await (send ?? fetch)(input, init);
    if (response.body === null) return response;
    const bytes = await readAtMost(response.body, response.headers);
    if (bytes === undefined) {
      const description = `the answer with status ${response.status} has more than ${ANSWER_MAX_BYTES} bytes`;
      return Response.json({ error: 'answer_too_large', error_description: description }, { status: 502 });
    }
    const { status, headers } = response;
    return new Response(bytes.length === 0 ? null : new Blob(bytes), { status, headers });
  };
}

/** The pieces of a body; undefined when they are too many bytes. */
async function readAtMost(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  headers: Headers,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const reader = body.getReader();
  try {
    if (Number(headers.get('content-length')) > ANSWER_MAX_BYTES) return undefined;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return pieces;
      size += value.length;
      if (size > ANSWER_MAX_BYTES) return undefined;
      pieces.push(value);
    }
  } finally {
    // Ends the connection where there is more to come; of no consequence where it was read to its end, or broke.
    reader.cancel().catch(() => {});
  }
}
