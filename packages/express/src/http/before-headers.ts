import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * Calls the listener once, just before the headers are sent, while they can still be changed. Headers passed to
 * `writeHead` are set on the response by then. A response can have several listeners.
 */
export function beforeHeaders(response: ServerResponse, listener: () => void): void {
  // The overloads of writeHead do not matter here: all parameters are passed on.
  const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => ServerResponse;
  let wasCalled = false;
  response.writeHead = (...parameters: unknown[]) => {
    if (wasCalled || response.headersSent) return writeHead(...parameters);
    wasCalled = true;
    const headers = parameters.at(-1);
    const hasHeaders = typeof headers === 'object' && headers !== null;
    // Node prefers headers of writeHead over those of the response, so they would overwrite the listener's.
    if (hasHeaders) setHeaders(response, headers);
    listener();
    return writeHead(...(hasHeaders ? parameters.slice(0, -1) : parameters));
  };
}

/** Sets headers as `writeHead` does. A list alternates names and values, and can repeat a name. */
function setHeaders(response: ServerResponse, headers: object): void {
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    return;
  }
  const pairs = pairsOf(headers);
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
