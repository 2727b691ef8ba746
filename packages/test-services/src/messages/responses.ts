/** Statuses with which a response cannot have a body. */
const STATUSES_WITHOUT_BODY = [204, 205, 304];

/**
 * Returns a script that answers with a status and a body.
 *
 * @param body Text and bytes are sent as they are, every other value as JSON.
 */
export function respond(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): () => Response {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const content = isRaw ? (body as BodyInit) : JSON.stringify(body);
  return () =>
    new Response(STATUSES_WITHOUT_BODY.includes(status) ? null : content, {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
}

/** Returns a script whose response begins with a text and then neither continues nor ends. */
export function respondUnfinished(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): () => Response {
  return () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new TextEncoder().encode(text));
    return new Response(new ReadableStream({ start }), {
      headers: { 'content-type': 'application/json', ...headers },
    });
  };
}

/** A response without an end, and the number of its bytes that were read before its reader cancelled it. */
export interface EndlessResponses {
  script: () => Response;
  readonly bytesRead: number;
  readonly cancelled: number;
}

const CHUNK_BYTES = 65_536;
/** Ends the body of a reader that has no limit, so that a broken test fails instead of filling the memory. */
const ENDLESS_MAX_BYTES = 100_000_000;

/** Returns a script whose responses have no end, with what became of them. */
export function endlessResponses(
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): EndlessResponses {
  const responses = {
    bytesRead: 0,
    cancelled: 0,
    script: () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          responses.bytesRead += CHUNK_BYTES;
          controller.enqueue(new Uint8Array(CHUNK_BYTES).fill(32));
          if (responses.bytesRead > ENDLESS_MAX_BYTES) controller.close();
        },
        cancel() {
          responses.cancelled += 1;
        },
      });
      return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
    },
  };
  return responses;
}
