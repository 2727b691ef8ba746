import { TabChannel } from '../tabs/tab-channel.js';

/** `data.type` of the message in which the callback page sends the authorization response. */
export const RESPONSE_TYPE = 'latchkey:authorization-response';

/** The only sender whose messages are accepted. */
export interface ResponseSource {
  /** Origin of the callback page. */
  origin: string;
  /** The popup of this attempt. */
  popup: Window;
  /** The `state` of this attempt. */
  state: string;
}

/**
 * Listens for the popup's authorization response until the signal aborts. Ignores every other message, because any window
 * may post to this one. The caller checks `state`.
 *
 * A callback page of this site whose opener was severed, such as by a header of the service, sends the response to all pages
 * of the site. Only the page that sent this `state` accepts it.
 */
export function listenForResponse(
  source: ResponseSource,
  signal: AbortSignal,
  onResponse: (response: URLSearchParams) => void,
): void {
  const receive = (data: Record<string, unknown>) => {
    if (data?.type !== RESPONSE_TYPE || typeof data.state !== 'string') return;
    const response = new URLSearchParams({ state: data.state });
    for (const name of ['code', 'error']) {
      if (typeof data[name] === 'string') response.set(name, data[name]);
    }
    onResponse(response);
  };
  const listener = (event: MessageEvent) => {
    if (event.origin === source.origin && event.source === source.popup) receive(event.data);
  };
  addEventListener('message', listener, { signal });
  const site = new TabChannel<Record<string, unknown>>(RESPONSE_TYPE);
  site.listen((data) => {
    if (data?.state === source.state) receive(data);
  });
  signal.addEventListener('abort', () => site.close());
}
