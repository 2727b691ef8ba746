import { type ReactiveControllerHost, render } from 'lit';
import { ownHref, scriptOrigin, withoutHash } from '../browser/addresses.js';
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
export interface GateResponse {
  state: Exclude<GateState, 'signed-out'>;
  /** The protected content, only in the state `open`. */
  content?: LoadedContent;
  /** Why there is no content, if the site's owner can fix it. */
  failure?: LoginFailure;
  /** True if the server doesn't know the user. The request is repeated only if the user or the memberships change. */
  isUnknownUser?: boolean;
}

const LOADING: GateResponse = { state: 'loading' };

/** Asks for the content as HTML, and for a rejection as JSON. */
const ACCEPT = 'application/json, text/html;q=0.9';

/** Media type of the content, with any parameters. Excludes a list of types, of which a browser would use the last. */
const HTML = /^text\/html\s*(;[^,]*)?$/i;

/** Time limit of a request, in seconds. The page's other requests have the same limit. */
const TIMEOUT_S = 30;

export interface GateContent {
  /** The server's response. Its state is `loading` until the server responds. */
  readonly response: GateResponse;
  /**
   * Requests the content if the address, the user or the memberships have changed. A request that didn't open the gate
   * is also repeated after the next check of the session. For the same address and user, the last result stays until a
   * new one arrives.
   */
  load(session: LoginSession, address: string): void;
  clear(): void;
}

/** Requests a gate's protected content from the site's server, as the signed-in user. */
export function createGateContent(
  host: ReactiveControllerHost & Element & { serviceUrl: string | null | undefined },
): GateContent {
  let requestedAddress: string | undefined;
  /** The snapshot of the session for which the content was requested. */
  let before: SessionSnapshot | undefined;
  let request = new AbortController();
  /** Number of temporary failures in a row. */
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const content = {
    response: LOADING,

    hostDisconnected(): void {
      content.clear();
    },

    load(session: LoginSession, address: string): void {
      const { snapshot } = session;
      const { state, isUnknownUser } = content.response;
      const mayRepeat = state === 'locked' || (state === 'error' && !isUnknownUser);
      const isSame = JSON.stringify(snapshot.memberships) === JSON.stringify(before?.memberships);
      if (address !== requestedAddress || snapshot.user?.sub !== before?.user?.sub) content.clear();
      else if (snapshot === before || (isSame && !mayRepeat)) return;
      requestedAddress = address;
      before = snapshot;
      send(session, address);
    },

    clear(): void {
      abort();
      content.response = LOADING;
      before = undefined;
      failures = 0;
    },
  };
  host.addController(content);

  function send(session: LoginSession, address: string): void {
    abort();
    const { signal } = request;
    void fetchContent(session, host, address, signal).then((response) => {
      if (signal.aborted) return;
      const { isUnknownUser, state } = response;
      if (state === 'error' && !isUnknownUser) {
        retry = setTimeout(() => send(session, address), retryPause(++failures));
        if (content.response.state === 'open' && failures < LAST_FAILURE) return;
      } else failures = 0;
      content.response = response;
      host.requestUpdate();
    });
  }

  function abort(): void {
    clearTimeout(retry);
    request.abort();
    request = new AbortController();
  }

  return content;
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
    // A redirect that is not followed has status 0.
    if (!status || status === 404) return problem(`must return status 200; got ${status || 'a redirect'}.`);
    // The server no longer knows the user. The refresh signs the page out too.
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

/** The content of each placed element, as placed. The page may have changed the element since. */
const placed = new WeakMap<Element, LoadedContent>();

/**
 * Returns true if the address returns the gate itself: it's the address of the page, or of content that contains the
 * gate. A site that returns the same page for every unknown address would otherwise nest that page forever.
 */
function containsGate(address: string, gate: Element): boolean {
  let isOwn = address === withoutHash(location.href);
  for (let place: Element | null = gate; place && !isOwn; place = parentOf(place))
    isOwn = placed.get(place)?.address === address;
  return isOwn;
}

const PLACE = 'data-latchkey-content';

/** Returns the child of a gate that contains its content. The page may provide it, empty. */
function placeOf(gate: Element): Element | null {
  return gate.querySelector(`:scope > [${PLACE}]`);
}

/** How long a page of React Router or Next.js may take to hydrate a gate, in milliseconds since it was opened. */
const HYDRATION_MS = 10_000;

/**
 * Returns true if the content may become a child of the gate. A framework that hydrates the page compares the children
 * with what the server rendered, and rebuilds the page if there is one more. So the content waits until React has taken
 * over the gate, or the page has loaded. Bundles import their scripts later still, so there the gate waits until it
 * `isLate`. React Router and Next.js can hydrate later than that, so there it also waits for {@link HYDRATION_MS}. If the
 * page provides the place for the content, nothing has to wait.
 */
export function mayPlace(gate: Element, isLate: boolean): boolean {
  if (placeOf(gate) || /__react/.test(`${Object.keys(gate)}`)) return true;
  return /\b__(next|react)/.test(`${Object.keys(window)}`)
    ? isLate && performance.now() > HYDRATION_MS
    : isLate || (scriptOrigin() !== undefined && document.readyState === 'complete');
}

/** Puts the content into the page's own tree, where the page's styles apply. `undefined` removes it. */
export function placeContent(gate: Element, content: LoadedContent | undefined): void {
  let place = placeOf(gate);
  // A new check of the session must not reset what the member has typed or is playing.
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
  // Scripts in the markup don't run.
  if (content) render(staticTemplate(content.markup), fragment);
  place.replaceChildren(fragment);
}
