import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { LoginSession } from '../session/login-session.js';
import { LoginError } from '../state/login-failure.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';
import type { GateState } from './gate-state.js';

/** The server's response to a request for protected content. */
interface GateContent {
  state: Exclude<GateState, 'signed-out'>;
  /** Present only if `open`. */
  markup?: string;
  /** The reason why the response is not content, for developers. */
  problem?: string;
  /** True if the server does not know the user. Only a change of the user or the memberships repeats the request. */
  isUnknownUser?: boolean;
}

/** Asks for a rejection as JSON and for the content as HTML. */
const ACCEPT = 'application/json, text/html;q=0.9';

/** The media type of content, with parameters. Excludes several values, of which a browser would use the last one. */
const HTML = /^text\/html\s*(;[^,]*)?$/i;

/** Requests a gate's protected content from the site's server, as the signed-in user. */
export class GateContentController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #content: GateContent | undefined;
  /** The address, user and memberships of the latest request, as JSON. */
  #requested: string | undefined;
  /** The session's state at the latest request. */
  #snapshot: SessionSnapshot | undefined;
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

  /** The reason why the server's response is not content, for developers. */
  get problem(): string | undefined {
    return this.#content?.problem;
  }

  hostDisconnected(): void {
    this.clear();
  }

  /**
   * Requests the content if the address, the user or the memberships changed. Repeats a request that did not open the gate
   * after the session was checked again, and shows its result until then.
   */
  load(session: LoginSession, address: string): void {
    const { snapshot } = session;
    const request = JSON.stringify([address, snapshot.user?.sub, snapshot.memberships]);
    const isNew = request !== this.#requested;
    if (!isNew && (snapshot === this.#snapshot || !this.#mayRepeat)) return;
    this.#abort();
    if (isNew) this.#content = undefined;
    this.#requested = request;
    this.#snapshot = snapshot;
    const { signal } = this.#request;
    void fetchContent(session, address, signal).then((content) => {
      if (signal.aborted) return;
      this.#content = content;
      this.#host.requestUpdate();
    });
  }

  get #mayRepeat(): boolean {
    const content = this.#content;
    return content !== undefined && content.state !== 'open' && !content.isUnknownUser;
  }

  /** Makes the next `load` request the content again. */
  invalidate(): void {
    this.#requested = undefined;
    this.#host.requestUpdate();
  }

  /** Discards the content and the running request. */
  clear(): void {
    this.#abort();
    this.#content = undefined;
    this.#requested = undefined;
  }

  #abort(): void {
    this.#request.abort();
    this.#request = new AbortController();
  }
}

/** Only a 2xx response with HTML opens the gate. */
async function fetchContent(
  session: LoginSession,
  address: string,
  signal: AbortSignal,
): Promise<GateContent> {
  try {
    const response = await session.fetch(address, { headers: { accept: ACCEPT }, cache: 'no-store', signal });
    const { status, headers } = response;
    if (response.ok) {
      const type = headers.get('content-type');
      if (type && HTML.test(type)) return { state: 'open', markup: await response.text() };
      return { state: 'error', problem: `src="${address}" must return text/html; got ${type}.` };
    }
    // The server no longer knows the user. The refresh signs the page out, too.
    const isUnknownUser = status === 401;
    if (isUnknownUser) void session.refresh();
    return { state: status === 403 ? 'locked' : 'error', isUnknownUser };
  } catch (error) {
    return { state: 'error', ...(error instanceof LoginError && { problem: error.message }) };
  }
}

const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createHTML(text: string): string } };
  }
).trustedTypes?.createPolicy('latchkey', { createHTML: (text: string) => text });

/** The markup of each placed element. The page may have changed the element since. */
const shown = new WeakMap<Element, string>();

/** Puts the content into the page, where the page's own styles apply. `undefined` removes it. */
export function placeContent(gate: HTMLElement, markup: string | undefined): void {
  const marker = 'data-latchkey-content';
  const placed = gate.querySelector(`:scope > [${marker}]`);
  if (markup === undefined) {
    placed?.remove();
    return;
  }
  // A new check of the session must not reset what the member has typed or plays.
  if (placed && shown.get(placed) === markup) return;
  const place = placed ?? document.createElement('div');
  place.setAttribute(marker, '');
  // innerHTML runs no scripts.
  place.innerHTML = policy?.createHTML(markup) ?? markup;
  shown.set(place, markup);
  gate.append(place);
}
