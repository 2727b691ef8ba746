import { type ReactiveController, type ReactiveControllerHost, render } from 'lit';
import { ownHref, withoutHash } from '../browser/addresses.js';
import { LAST_FAILURE, retryPause } from '../browser/wake-up.js';
import { parentOf, staticTemplate } from '../element/shared.js';
import type { LoginSession } from '../session/login-session.js';
import { failureOf, isForOwner, type LoginFailure, misconfigured } from '../state/login-failure.js';
import type { SessionSnapshot } from '../state/login-state.js';
import type { GateState } from './gate-rule.js';

interface LoadedContent {
  address: string;
  markup: string;
}

/** The server's response to a request for protected content. */
interface GateResponse {
  state: Exclude<GateState, 'signed-out'>;
  /** The protected content. Present only if `open`. */
  content?: LoadedContent;
  /** The reason why there is no content, if the owner of the site can mend it. */
  failure?: LoginFailure;
  /** True if the server does not know the user. Only a change of the user or the memberships repeats the request. */
  isUnknownUser?: boolean;
}

const LOADING: GateResponse = { state: 'loading' };

/** Asks for a rejection as JSON and for the content as HTML. */
const ACCEPT = 'application/json, text/html;q=0.9';

/** The media type of content, with parameters. Excludes several values, of which a browser would use the last one. */
const HTML = /^text\/html\s*(;[^,]*)?$/i;

/** Time limit of a request, in seconds: that of the other requests of a page. */
const TIMEOUT_S = 30;

/** Requests a gate's protected content from the site's server, as the signed-in user. */
export class GateContentController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #response: GateResponse = LOADING;
  #address: string | undefined;
  /** The session for which the content was requested. */
  #snapshot: SessionSnapshot | undefined;
  #request = new AbortController();
  /** Failures in a row that can pass. */
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** The server's response. Its state is `loading` until the server responds. */
  get response(): GateResponse {
    return this.#response;
  }

  hostDisconnected(): void {
    this.clear();
  }

  /**
   * Requests the content if the address, the user or the memberships changed. Repeats a request that did not open the gate
   * after the session was checked again. Shows the result for the same user until then.
   */
  load(session: LoginSession, address: string): void {
    const { snapshot } = session;
    const { state, isUnknownUser } = this.#response;
    const before = this.#snapshot;
    const mayRepeat = state === 'locked' || (state === 'error' && !isUnknownUser);
    const isSame = JSON.stringify(snapshot.memberships) === JSON.stringify(before?.memberships);
    if (address !== this.#address || snapshot.user?.sub !== before?.user?.sub) this.clear();
    else if (snapshot === before || (isSame && !mayRepeat)) return;
    this.#address = address;
    this.#snapshot = snapshot;
    this.#send(session, address);
  }

  clear(): void {
    this.#abort();
    this.#response = LOADING;
    this.#snapshot = undefined;
    this.#failures = 0;
  }

  #send(session: LoginSession, address: string): void {
    this.#abort();
    const { signal } = this.#request;
    void fetchContent(session, this.#host, address, signal).then((response) => {
      if (signal.aborted) return;
      const { isUnknownUser, state } = response;
      if (state === 'error' && !isUnknownUser) {
        this.#retry = setTimeout(() => this.#send(session, address), retryPause(++this.#failures));
        if (this.#response.state === 'open' && this.#failures < LAST_FAILURE) return;
      } else this.#failures = 0;
      this.#response = response;
      this.#host.requestUpdate();
    });
  }

  #abort(): void {
    clearTimeout(this.#retry);
    this.#request.abort();
    this.#request = new AbortController();
  }
}

/** Only a 2xx response with HTML opens the gate. */
async function fetchContent(
  session: LoginSession,
  gate: Element,
  address: string,
  signal: AbortSignal,
): Promise<GateResponse> {
  const problem = (text: string): GateResponse => ({
    state: 'error',
    failure: misconfigured(`src="${address}" ${text}`),
  });
  const href = ownHref(address);
  if (!href) return problem(`must be on ${location.origin}.`);
  const page = withoutHash(href);
  if (containsGate(page, gate)) return problem('leads to a page that contains this gate.');
  const timeout = AbortSignal.timeout(TIMEOUT_S * 1000);
  try {
    const response = await session.fetch(address, {
      headers: { accept: ACCEPT },
      cache: 'no-store',
      signal: AbortSignal.any([signal, timeout]),
    });
    const { status, headers } = response;
    if (response.ok) {
      const type = headers.get('content-type');
      if (type && HTML.test(type))
        return { state: 'open', content: { address: page, markup: await response.text() } };
      return problem(`must return text/html; got ${type}.`);
    }
    // A redirect that is not followed has the status 0.
    if (!status || status === 404) return problem(`must return status 200; got ${status || 'a redirect'}.`);
    // The server no longer knows the user. The refresh signs the page out, too.
    const isUnknownUser = status === 401;
    if (isUnknownUser) void session.refresh();
    return { state: status === 403 ? 'locked' : 'error', isUnknownUser };
  } catch (error) {
    if (timeout.aborted) {
      const message = `src="${address}" did not answer within ${TIMEOUT_S} seconds.`;
      return { state: 'error', failure: { code: 'network', during: 'check', message } };
    }
    const failure = failureOf(error, 'check');
    return { state: 'error', ...(isForOwner(failure) && { failure }) };
  }
}

/** The content of each placed element. The page may have changed the element since. */
const placed = new WeakMap<Element, LoadedContent>();

/**
 * True if the address returns the gate itself: it is the address of the page, or of the content that contains the gate. A
 * site that returns its own page for every unknown address would nest it without end.
 */
function containsGate(address: string, gate: Element): boolean {
  let isOwn = address === withoutHash(location.href);
  for (let place: Element | null = gate; place && !isOwn; place = parentOf(place))
    isOwn = placed.get(place)?.address === address;
  return isOwn;
}

const PLACE = 'data-latchkey-content';

/** Returns the child of a gate that contains its content. A page can bring it along, empty. */
export function placeOf(gate: Element): Element | null {
  return gate.querySelector(`:scope > [${PLACE}]`);
}

/** Puts the content into the page, where the page's own styles apply. `undefined` removes it. */
export function placeContent(gate: Element, content: LoadedContent | undefined): void {
  let place = placeOf(gate);
  // A new check of the session must not reset what the member has typed or plays.
  const isNew = !place || !content || placed.get(place)?.markup !== content.markup;
  if (!place) {
    if (!content) return;
    place = document.createElement('div');
    place.setAttribute(PLACE, '');
    gate.append(place);
  }
  if (content) placed.set(place, content);
  else placed.delete(place);
  if (!isNew) return;
  const fragment = document.createDocumentFragment();
  // No scripts run.
  if (content) render(staticTemplate(content.markup), fragment);
  place.replaceChildren(fragment);
}
