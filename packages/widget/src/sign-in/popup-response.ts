/** `data.type` of the message in which the callback page sends the authorization response. */
export const RESPONSE_TYPE = 'latchkey:authorization-response';

/** The only sender whose messages are accepted. */
export interface ResponseSource {
  /** Origin of the callback page. */
  origin: string;
  /** The popup of this attempt. */
  popup: Window;
}

/**
 * Listens for the popup's authorization response until the signal aborts. Ignores every other message, because any window
 * may post to this one. The caller checks `state`.
 */
export function listenForResponse(
  source: ResponseSource,
  signal: AbortSignal,
  onResponse: (response: URLSearchParams) => void,
): void {
  const listener = (event: MessageEvent) => {
    const { data } = event;
    if (event.origin !== source.origin || event.source !== source.popup) return;
    if (data?.type !== RESPONSE_TYPE || typeof data.state !== 'string') return;
    const response = new URLSearchParams({ state: data.state });
    for (const name of ['code', 'error']) {
      if (typeof data[name] === 'string') response.set(name, data[name]);
    }
    onResponse(response);
  };
  addEventListener('message', listener, { signal });
}
