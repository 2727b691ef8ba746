import { loginUrl } from '../state/kit-address.js';
import { failureOf, LoginError } from '../state/login-failure.js';
import { isPending, type LoginStore } from '../state/login-state.js';
import type { SessionReader } from '../state/session-provider.js';
import { loadRestInTheEnd } from './load-rest.js';
import { popupsFail } from './redirect.js';
import type { AddressedRequest, Attempt, ReturnedResponse, SignInHost, SignInOptions } from './request.js';
import type { SignInFlow } from './sign-in-flow.js';

const WIDTH = 480;
const HEIGHT = 640;

export type SignIn<Options extends SignInSettings> = ReturnType<typeof createSignIn<Options>>;

type SignInSettings = SignInOptions & { serviceUrl: string };

/** The session that a sign-in belongs to. */
interface Session {
  store: LoginStore;
  /** Present with a backend. */
  reader: Pick<SessionReader, 'hasSignedOut'> | undefined;
  /** Loads the rest of the widget, which sets `flow`. */
  load: () => Promise<{ flow: SignInFlow }>;
}

/**
 * Starts and ends sign-ins, by popup or by redirect. One attempt runs at a time. {@link SignInFlow}, which may load
 * later, does what follows the click.
 */
export function createSignIn<Options extends SignInSettings>(
  options: Options,
  { store, reader, load }: Session,
) {
  const { mode, backend, returnUrl } = options;
  // Services forbid framing. A frame that fell back to a redirect would lose its page.
  const canReturn = top === self && (backend ?? returnUrl) !== undefined;
  let current: Attempt | undefined;

  const signIn = {
    options,
    store,
    canReturn,
    severed: false,
    flow: undefined as SignInFlow | undefined,
    /** The authorization response that was in this page's address, until the rest takes it to finish the sign-in. */
    returned: undefined as ReturnedResponse | undefined,

    /** True while the page is about to redirect. */
    get isLeaving(): boolean {
      return current !== undefined && !current.popup;
    },

    /**
     * Starts an attempt, or focuses the popup if one is running.
     * @param switches true to sign in with another account while a user is signed in.
     */
    start(switches = false): void {
      if (isPending(store.state)) {
        current?.popup?.focus();
        return;
      }
      if (store.state.session && !switches) return;
      signIn.end();
      store.dispatch({ type: 'attempt', switches });
      begin(switches);
    },

    end({ keepPopup = false } = {}): void {
      const attempt = current;
      current = undefined;
      attempt?.abort.abort();
      if (!keepPopup) attempt?.popup?.close();
    },

    fail({ number: attempt, abort }: Attempt, error: unknown): void {
      if (abort.signal.aborted) return;
      const failure = failureOf(error, 'sign-in');
      // Keep the popup open: it explains the setting to change.
      signIn.end({ keepPopup: failure.code === 'origin_refused' });
      store.dispatch({ type: 'failed', attempt, failure });
    },

    /** Ends the attempt, also one that still waits for the rest of the widget. */
    stop(): void {
      signIn.returned = undefined;
      signIn.end();
    },

    /**
     * Finishes the sign-in on the return page. If the rest of the widget fails to load, tries again once it has loaded.
     */
    resume(returned: ReturnedResponse): void {
      signIn.returned = returned;
      begin(false);
      void loadRestInTheEnd(options.serviceUrl).then(() => signIn.returned && signIn.start());
    },
  };

  function begin(switches: boolean): void {
    const attempt: Attempt = { number: store.state.attempt, switches, abort: new AbortController() };
    current = attempt;
    run(attempt).catch((error: unknown) => signIn.fail(attempt, error));
  }

  /**
   * Runs synchronously until the popup is open. If the rest or the secrets aren't ready yet, the popup opens empty and
   * gets its address later.
   */
  async function run(attempt: Attempt): Promise<void> {
    if (signIn.returned) return (await load()).flow.resume(attempt);
    let request: AddressedRequest | undefined;
    if (mode !== 'redirect' && !(canReturn && (signIn.severed || popupsFail()))) {
      request = signIn.flow?.readyRequest(attempt);
      attempt.popup = openPopup(request?.url ?? 'about:blank');
      if (attempt.popup) signIn.flow?.spend();
      // Browsers also block popups outside a click, where a redirect would surprise the visitor.
      if (!attempt.popup && !(canReturn && navigator.userActivation?.isActive !== false))
        throw new LoginError('popup_blocked', 'The browser blocked the sign-in window.');
    }
    // The Express kit takes it from here, unless something else answers at its address.
    if (!attempt.popup && backend !== undefined && !signIn.flow?.problem)
      return location.assign(loginUrl(backend, attempt.switches || reader?.hasSignedOut));
    const { flow } = await load();
    if (attempt.abort.signal.aborted) return;
    if (attempt.popup) await flow.followPopup(attempt, attempt.popup, request);
    else await flow.redirect(attempt);
  }

  return signIn satisfies SignInHost;
}

/**
 * Opens the sign-in window, centred over this one. Call it synchronously in a click handler, or the browser blocks the
 * window. Its name is random: no other page can have opened a window under that name.
 *
 * @returns `undefined` if the browser blocked the window.
 */
function openPopup(url: string): Window | undefined {
  const left = Math.max(0, Math.round(screenX + (outerWidth - WIDTH) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - HEIGHT) / 2));
  try {
    // Scripts that replace `open` may return a proxy, which is never the source of a message.
    const popup = open(
      url,
      `latchkey-${crypto.getRandomValues(new Uint32Array(8))}`,
      `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`,
    )?.self;
    return popup?.closed ? undefined : popup;
  } catch {
    // Extensions that block popups can replace `open` by a function that throws.
    return undefined;
  }
}
