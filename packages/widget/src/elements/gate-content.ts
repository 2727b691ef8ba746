import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { LoginSession } from '../session/login-session.js';
import type { GateState } from './gate-state.js';

/** The server's response to a request for protected content. */
interface GateContent {
  state: Exclude<GateState, 'signed-out'>;
  /** Present only if `open`. */
  markup?: string;
}

/** Asks for a rejection as JSON and for the content in any format. */
const ACCEPT = 'application/json, text/html;q=0.9, */*;q=0.1';

/** Requests a gate's protected content from the site's server, as the signed-in user. */
export class GateContentController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #content: GateContent | undefined;
  /** The address, user and memberships of the latest request, as JSON. */
  #requested: string | undefined;
  #request = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** `loading` until the server responds. */
  get state(): GateContent['state'] {
    return this.#content?.state ?? 'loading';
  }

  /** The protected content. `undefined` unless the server returned it. */
  get markup(): string | undefined {
    return this.#content?.markup;
  }

  hostDisconnected(): void {
    this.clear();
  }

  /** Requests the content if the address, the user or the memberships changed. */
  load(session: LoginSession, address: string): void {
    const { user, memberships } = session.snapshot;
    const request = JSON.stringify([address, user?.sub, memberships]);
    if (request === this.#requested) return;
    this.clear();
    this.#requested = request;
    const { signal } = this.#request;
    void fetchContent(session, address, signal).then((content) => {
      if (signal.aborted) return;
      this.#content = content;
      this.#host.requestUpdate();
    });
  }

  /** Makes the next `load` request the content again. */
  invalidate(): void {
    this.#requested = undefined;
    this.#host.requestUpdate();
  }

  /** Discards the content and the running request. */
  clear(): void {
    this.#request.abort();
    this.#request = new AbortController();
    this.#content = undefined;
    this.#requested = undefined;
  }
}

/** Only a 2xx response opens the gate. */
async function fetchContent(
  session: LoginSession,
  address: string,
  signal: AbortSignal,
): Promise<GateContent> {
  try {
    const response = await session.fetch(address, { headers: { accept: ACCEPT }, cache: 'no-store', signal });
    if (response.ok) return { state: 'open', markup: await response.text() };
    // The server no longer knows the user. The refresh signs the page out, too.
    if (response.status === 401) void session.refresh();
    return { state: response.status === 403 ? 'locked' : 'error' };
  } catch {
    return { state: 'error' };
  }
}

const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createHTML(text: string): string } };
  }
).trustedTypes?.createPolicy('latchkey', { createHTML: (text: string) => text });

/** Puts the content into the page, where the page's own styles apply. `undefined` removes it. */
export function placeContent(gate: HTMLElement, markup: string | undefined): void {
  const marker = 'data-latchkey-content';
  const placed = gate.querySelector(`:scope > [${marker}]`);
  if (markup === undefined) {
    placed?.remove();
    return;
  }
  const place = placed ?? document.createElement('div');
  place.setAttribute(marker, '');
  // innerHTML runs no scripts.
  place.innerHTML = policy?.createHTML(markup) ?? markup;
  gate.append(place);
}
