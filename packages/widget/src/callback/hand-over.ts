import { PATHS, WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';
import { decodeWidgetState } from '@latchkey/oauth';
import { RESPONSE_TYPE } from '../sign-in/popup.js';

const TIMEOUT_MS = 15_000;
/** How long to wait before asking the service once more, in milliseconds. */
const REPEAT_PAUSE_MS = 200;
/**
 * How long to wait for the widget to close the window, in milliseconds. It does so when it receives the response. The
 * window never closes itself: any page can open it, and closing would reveal that the visitor has allowed the client.
 */
const UNCLOSED_MS = 3000;

const FRAMED: Explanation = {
  title: 'This page must not be framed',
  text: 'It finishes a sign-in only in its own window.',
};
const BY_HAND: Explanation = {
  title: 'Nothing to finish here',
  text: 'This page finishes a sign-in that a site started. Close this window and sign in again from the site.',
};
const NO_OPENER: Explanation = {
  title: 'The site is out of reach',
  text: 'The page that started this sign-in was closed, or its settings cut it off from this window. Nothing was sent to it. Close this window and sign in again.',
};
const SEVERED: Explanation = {
  ...NO_OPENER,
  hint: 'For the owner of the site: its header Cross-Origin-Opener-Policy must not be “same-origin”; “same-origin-allow-popups” works.',
};
const DELIVERED: Explanation = {
  title: 'You can close this window',
  text: 'The sign-in in this window is finished. If the site does not show your account, sign in again from the site.',
};
const UNREACHABLE = {
  title: 'The connection failed',
  text: 'The service could not check whether this site may receive your sign-in. Try again within a minute, or sign in again from the site.',
};

/**
 * Posts the authorization response to the page that opened this window, which then closes it. If that page may not have
 * it, explains why.
 *
 * The client id comes only from this page's own path. `state` and the opener may belong to an attacker, but redirect
 * URIs match exactly, and only the client's owner can register this one. The opener's origin comes from `state`. It's
 * used only after a check that the client allows it, and the message is posted to exactly that origin.
 */
export async function handOver(window: Window & typeof globalThis): Promise<void> {
  const { location, history } = window;
  const query = new URLSearchParams(location.search);
  // Keep the code out of the address, the history and referrers.
  history.replaceState(null, '', location.pathname);
  const explain = explainer(window);
  if (window.top !== window.self) {
    explain(FRAMED);
    return;
  }
  const state = query.get('state') ?? '';
  const origin = decodeWidgetState(state)?.origin;
  const [code, error] = [query.get('code'), query.get('error')];
  if (!origin || (code === null && error === null)) {
    explain(BY_HAND);
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
    if (origin === location.origin && !hostedClient(location)) {
      // A header of the service or the site severed the opener. Only the page that sent this `state` accepts it.
      new BroadcastChannel(RESPONSE_TYPE).postMessage(answer);
      explain(DELIVERED);
      return;
    }
    // The policy also clears the window's name. If the window still has one, its opener was just closed.
    explain(opener || window.name ? NO_OPENER : SEVERED);
    return;
  }
  await deliver({ window, explain, opener, origin, answer });
}

interface Delivery {
  window: Window & typeof globalThis;
  explain: (explanation: Explanation) => void;
  opener: Window;
  origin: string;
  answer: { state: string };
}

async function deliver(delivery: Delivery): Promise<void> {
  const { window, explain, opener, origin, answer } = delivery;
  let allowed: boolean;
  try {
    allowed = await mayReceive(window, origin).catch(async () => {
      await new Promise((resolve) => window.setTimeout(resolve, REPEAT_PAUSE_MS));
      return mayReceive(window, origin);
    });
  } catch {
    explain({ ...UNREACHABLE, action: { label: 'Try again', run: () => void deliver(delivery) } });
    return;
  }
  if (!allowed) {
    const isHosted = hostedClient(window.location) !== undefined;
    // The message has no secret. It lets the page show its owner the setting to change. A site's own callback page
    // posts nothing: after consent, the service redirects there without a click, so a message would reveal the consent.
    if (isHosted)
      opener.postMessage({ type: RESPONSE_TYPE, state: answer.state, error: 'origin_refused' }, origin);
    explain({
      title: 'This site may not receive your sign-in',
      text: 'The application does not allow this site to receive your sign-in. Nothing was sent to the site.',
      detail: origin,
      hint: isHosted
        ? 'For the owner of the application: to allow the site, add exactly this origin to the “Allowed web origins” of the client.'
        : 'For the owner of the site: this callback page works for pages of {origin} only.',
    });
    return;
  }
  opener.postMessage(answer, origin);
  window.setTimeout(() => explain(DELIVERED), UNCLOSED_MS);
}

/**
 * Returns true if the origin may receive the response. On the service's callback page, the service checks the client's
 * allowed origins (spec, "GET /oauth/client/{clientId}"). On a site's own callback page, only the page's origin may.
 * @throws if the service doesn't respond, returns a status of 500 or more, or no JSON.
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
  if (response.status >= 500) throw new Error(`The service returned ${response.status}.`);
  const answer = await response.json();
  return response.ok && answer?.data?.widgetOriginAllowed === true;
}

/** Returns the callback page's client id and the service's base path, or `undefined` on a site's own callback page. */
function hostedClient({ pathname }: Location): { id: string; base: string } | undefined {
  const id = pathname.slice(pathname.lastIndexOf('/') + 1);
  const hosted = WIDGET_CALLBACK_PATH.replace('{clientId}', id);
  return id && pathname.endsWith(hosted) ? { id, base: pathname.slice(0, -hosted.length) } : undefined;
}

/** A message for the person who sees the callback page. */
interface Explanation {
  title: string;
  text: string;
  /** A value to compare, such as the site's origin. */
  detail?: string;
  /** What the owner must change. `{origin}` stands for this page's origin. */
  hint?: string;
  /**
   * The button.
   * @default closes the window
   */
  action?: { label: string; run: () => void };
}

const TAGS: Record<string, string> = { title: 'h1', close: 'button' };

/**
 * Returns a function that shows a message on the callback page. The service renders the elements for it, with ids that
 * start with `callback-`. A site's own callback page may contain only the script, so missing elements are created.
 */
function explainer(window: Window): (explanation: Explanation) => void {
  const { document } = window;
  const place = (name: string): HTMLElement => {
    const id = `callback-${name}`;
    const present = document.getElementById(id);
    if (present) return present;
    const made = document.createElement(TAGS[name] ?? 'p');
    made.id = id;
    holder(document).append(made);
    return made;
  };
  const fill = (name: string, text: string | undefined, texts: Texts = {}): HTMLElement => {
    const element = place(name);
    element.textContent = ((text && texts[text]) ?? text ?? '').replace('{origin}', window.location.origin);
    element.hidden = text === undefined;
    return element;
  };
  const show = ({ title, text, detail, hint, action }: Explanation) => {
    const texts = translations(window);
    document.title = fill('title', title, texts).textContent;
    fill('text', text, texts).role = 'status';
    fill('detail', detail);
    fill('hint', hint, texts);
    fill('close', action?.label ?? 'Close this window', texts).onclick =
      action?.run ?? (() => window.close());
  };
  return (explanation) => {
    // A script in the head runs before the body exists.
    if (document.body) show(explanation);
    else document.addEventListener('DOMContentLoaded', () => show(explanation), { once: true });
  };
}

/** Translations by English message. */
type Texts = Readonly<Record<string, string>>;

/**
 * Returns the translations for the visitor. The service's callback page comes with them. A site's `callback.html` has
 * several languages: the first match counts, of the opener's `lang` and then the browser's languages. The page's `lang`
 * and `dir` follow it.
 */
function translations({ document, navigator, opener }: Window): Texts {
  const sent = document.getElementById('callback')?.dataset.texts;
  if (sent) return JSON.parse(sent);
  const all: Record<string, Texts> = JSON.parse(
    document.getElementById('callback-texts')?.textContent || '{}',
  );
  const language = [pageLanguage(opener), ...navigator.languages]
    .map((tag) => tag.split('-')[0]?.toLowerCase() ?? '')
    .find((known) => known === 'en' || Object.hasOwn(all, known));
  if (!language || language === 'en') return {};
  Object.assign(document.documentElement, { lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' });
  return all[language] ?? {};
}

/** Returns the `lang` of a page on this origin, or an empty string: browsers deny access to other origins. */
function pageLanguage(opener: Window | null): string {
  try {
    return opener?.document.documentElement.lang ?? '';
  } catch {
    return '';
  }
}

/** Returns the container of created elements. A constructed style sheet needs no exception in a strict CSP. */
function holder(document: Document): HTMLElement {
  const present = document.querySelector('main');
  if (present) return present;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  document.adoptedStyleSheets.push(sheet);
  const made = document.createElement('main');
  document.body.append(made);
  return made;
}

const STYLES = `:root{color-scheme:light dark}
body{margin:0;font:1rem/1.5 system-ui,sans-serif}
main{display:grid;gap:1rem;justify-items:start;max-width:26rem;margin:0 auto;padding:2.5rem 1.5rem}
main>*{margin:0;overflow-wrap:anywhere}
h1{font-size:1.375rem;line-height:1.25}
#callback-detail{font-family:ui-monospace,monospace}
button{font:inherit;min-height:2.75rem;padding:0 1rem}`;
