import { PATHS, WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';
import { decodeWidgetState } from '@latchkey/oauth';
import { RESPONSE_TYPE } from '../sign-in/popup-response.js';
import { type CallbackPage, callbackPage, type Explanation } from './callback-page.js';

const TIMEOUT_MS = 15_000;
/**
 * How long the window stays for the page to take the answer. The widget closes it when it has: a message whose window is
 * gone before it arrives, as on a busy machine, comes from nobody, and counts for nothing.
 */
const TAKEN_MS = 3000;
/** A window that could close itself is gone by then. */
const CLOSED_MS = 1500;

const FRAMED: Explanation = {
  title: 'This page must not be framed',
  text: 'It finishes a sign-in, and does so only in a window of its own.',
};
const BY_HAND: Explanation = {
  title: 'Nothing to finish here',
  text: 'This page ends a sign-in that another page began. Close this window, and start from the site again.',
};
const NO_OPENER: Explanation = {
  title: 'The site is out of reach',
  text: 'The page that began this sign-in was closed, or is cut off from this window. Nothing was handed over.',
  hint: 'For the owner of the site: its header Cross-Origin-Opener-Policy must not be “same-origin”; “same-origin-allow-popups” works.',
};
const DELIVERED: Explanation = {
  title: 'You can close this window',
  text: 'The site has its answer.',
};
const UNREACHABLE = {
  title: 'The connection failed',
  text: 'Whether the site may have the answer could not be checked. Try again within a minute, or start anew.',
};

/**
 * Hands the answer of an authorization request to the page that asked, and closes the window; or explains on the page
 * why it does not.
 *
 * Which client the answer belongs to is read from this page's own path and from nowhere else: `state` and the page that
 * opened this window may be an attacker's, while redirect URIs match exactly and only the client's owner registers this
 * one. Which origin asks is read from `state`, and believed only after the service has said that this client allows it;
 * the message then goes to that very origin.
 */
export async function handOver(window: Window & typeof globalThis): Promise<void> {
  const { location, history } = window;
  const query = new URLSearchParams(location.search);
  // First of all: the code must not stay in the address, the history or a referrer.
  history.replaceState(null, '', location.pathname);
  const page = callbackPage(window);
  if (window.top !== window.self) {
    page.explain(FRAMED);
    return;
  }
  const state = query.get('state') ?? '';
  const origin = decodeWidgetState(state)?.origin;
  const [code, error] = [query.get('code'), query.get('error')];
  if (!origin || (code === null && error === null)) {
    page.explain(BY_HAND);
    return;
  }
  const answer = {
    type: RESPONSE_TYPE,
    state,
    ...(code !== null && { code }),
    ...(error !== null && { error }),
  };
  const opener: Window | null = window.opener;
  if (!opener || opener.closed) {
    page.explain(NO_OPENER);
    return;
  }
  await deliver({ window, page, opener, origin, answer });
}

interface Delivery {
  window: Window & typeof globalThis;
  page: CallbackPage;
  opener: Window;
  origin: string;
  answer: { state: string };
}

async function deliver(delivery: Delivery): Promise<void> {
  const { window, page, opener, origin, answer } = delivery;
  let allowed: boolean;
  try {
    allowed = await mayReceive(window, origin);
  } catch {
    page.explain({ ...UNREACHABLE, action: { label: 'Try again', run: () => void deliver(delivery) } });
    return;
  }
  if (!allowed) {
    // No secret is in it: the page that asked learns that it is the origin, and its owner what to change.
    opener.postMessage({ type: RESPONSE_TYPE, state: answer.state, error: 'origin_refused' }, origin);
    page.explain({
      title: 'This site may not receive your sign-in',
      text: 'The application you signed in to does not allow the page that asked. Nothing was handed over.',
      detail: origin,
      hint: hostedClient(window.location)
        ? 'For the owner of the application: to allow it, add exactly this origin to the “Allowed web origins” of the client.'
        : `For the owner of the site: this page of yours answers to pages of ${window.location.origin} only.`,
    });
    return;
  }
  opener.postMessage(answer, origin);
  window.setTimeout(() => {
    window.close();
    window.setTimeout(() => page.explain(DELIVERED), CLOSED_MS);
  }, TAKEN_MS);
}

/**
 * Hosted by the service: asks it whether the client of this page's path allows the origin (spec, "GET
 * /oauth/client/{clientId}"). Hosted by the site itself: only its own pages may have what comes here.
 */
async function mayReceive(window: Window & typeof globalThis, origin: string): Promise<boolean> {
  const client = hostedClient(window.location);
  if (!client) return origin === window.location.origin;
  const url = `${client.base}${PATHS.clientIdentity.replace('{clientId}', client.id)}?widget_origin=${encodeURIComponent(origin)}`;
  const response = await window.fetch(url, {
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status >= 500) throw new Error(`The service answered ${response.status}.`);
  const answer = await response.json();
  return response.ok && answer?.data?.widgetOriginAllowed === true;
}

/** The client whose hosted callback this page is, and where the service lies; `undefined` on a site's own page. */
function hostedClient({ pathname }: Location): { id: string; base: string } | undefined {
  const id = pathname.slice(pathname.lastIndexOf('/') + 1);
  const hosted = WIDGET_CALLBACK_PATH.replace('{clientId}', id);
  return id && pathname.endsWith(hosted) ? { id, base: pathname.slice(0, -hosted.length) } : undefined;
}
