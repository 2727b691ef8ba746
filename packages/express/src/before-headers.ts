import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * Calls the listener once, when the headers are about to be sent: the last moment at which they can be changed, and at which
 * the answer knows the most. Headers that are given to `writeHead` itself are on the response by then. Several may listen.
 */
export function beforeHeaders(response: ServerResponse, listener: () => void): void {
  // Its overloads do not matter here: what was given is passed on.
  const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => ServerResponse;
  let isOver = false;
  response.writeHead = (...parameters: unknown[]) => {
    if (isOver || response.headersSent) return writeHead(...parameters);
    isOver = true;
    const given = parameters.at(-1);
    const hasHeaders = typeof given === 'object' && given !== null;
    // Node would let them win over what is set on the response, so ours would be lost.
    if (hasHeaders) takeHeaders(response, given);
    listener();
    return writeHead(...(hasHeaders ? parameters.slice(0, -1) : parameters));
  };
}

/** Sets headers as `writeHead` does: a list holds names and values in turn, and may hold a name several times. */
function takeHeaders(response: ServerResponse, given: object): void {
  if (!Array.isArray(given)) {
    for (const [name, value] of Object.entries(given as OutgoingHttpHeaders)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    return;
  }
  const pairs = pairsOf(given);
  for (const [name] of pairs) response.removeHeader(name);
  for (const [name, value] of pairs) {
    response.appendHeader(name, typeof value === 'number' ? `${value}` : value);
  }
}

function pairsOf(list: readonly unknown[]): [name: string, value: OutgoingHttpHeader][] {
  if (Array.isArray(list[0])) return list as [string, OutgoingHttpHeader][];
  return list.flatMap((name, index) =>
    index % 2 === 0 ? [[name as string, list[index + 1] as OutgoingHttpHeader]] : [],
  );
}
