import { checkClient, hostedCallbackUrl, readAuthorizationResponse } from '@latchkey/oauth';
import { withoutHash } from '../browser/addresses.js';
import { wakeAt } from '../browser/wake-up.js';
import { writeValue } from '../browser/write-value.js';
import { backendUrl } from '../state/kit-address.js';
import { failureOf, isForOwner, LoginError, type LoginFailureCode, log } from '../state/login-failure.js';
import { isPending } from '../state/login-state.js';
import { answerer, openerIsSevered, popupResponse } from './popup.js';
import { failureName, redirectName } from './redirect.js';
import {
  type AddressedRequest,
  type Attempt,
  ownRedirectUri,
  type PendingRedirect,
  popupRequest,
  prepareSecrets,
  redirectRequest,
  type Secrets,
  type SentRequest,
  type SignInHost,
  type SigningSession,
} from './request.js';

/**
 * If a popup reads as closed this soon after it opened at the service, in milliseconds, it was probably severed, not
 * closed by the visitor.
 */
const SEVERED_WITHIN_MS = 5000;

/** How long to wait for a response before looking for the reason, in milliseconds. */
const SILENT_MS = 8000;

export type SignInFlow = ReturnType<typeof createSignInFlow>;

/**
 * Does what follows a click on the button: sends the request, handles the response, and finds out why there is none.
 */
export function createSignInFlow(signIn: SignInHost, session: SigningSession) {
  const { options, store } = signIn;
  const { provider, service, time } = session;
  const secrets = prepareSecrets();

  const flow = {
    /** Why visitors can't sign in at the Express kit from this page. `undefined` if they can. */
    problem: undefined as string | undefined,

    async prepare(): Promise<void> {
      try {
        examinePage();
        if (secrets.ready) return;
        hostedCallbackUrl(service);
        await secrets.prepare();
      } catch (error) {
        store.dispatch({ type: 'unusable', failure: failureOf(error, 'sign-in') });
      }
    },

    /** True if the visitor chooses an account at the service. */
    selectsAccount({ switches }: Attempt): boolean {
      return switches || provider.hasSignedOut;
    },

    /** Returns the next popup's request, or `undefined` if its secrets aren't ready. */
    readyRequest(attempt: Attempt): AddressedRequest | undefined {
      const { ready } = secrets;
      return ready && requestOf(attempt, ready);
    },

    /** Discards the ready secrets after a popup was opened with them. No other attempt may use them. */
    spend(): void {
      secrets.ready = undefined;
    },

    /** @param ready the request that the popup was opened with. `undefined` if the popup is still empty. */
    async followPopup(attempt: Attempt, popup: Window, ready: AddressedRequest | undefined): Promise<void> {
      const { signal } = attempt.abort;
      const request = ready ?? requestOf(attempt, await secrets.take());
      if (signal.aborted) return;
      if (!ready) popup.location.replace(request.url);
      store.dispatch({ type: 'opened', attempt: attempt.number });
      void flow.prepare();
      const startedAt = time.clock.now();
      const explain = () => void explainSilence(attempt, request);
      signal.addEventListener('abort', wakeAt(time, startedAt + SILENT_MS, explain));
      const onClosed = () => void handleClosed(attempt, request, startedAt);
      const response = await popupResponse(popup, request, { timers: time.timers, signal, onClosed });
      await flow.finish(attempt, response, request);
    },

    async redirect(attempt: Attempt): Promise<void> {
      if (flow.problem) throw new LoginError('misconfigured', flow.problem);
      const redirectUri = ownRedirectUri('return-url', options.returnUrl);
      const taken = await secrets.take();
      if (attempt.abort.signal.aborted) return;
      const selectAccount = flow.selectsAccount(attempt);
      const request = redirectRequest(session, taken, { redirectUri, state: taken.nonce, selectAccount });
      const { url, ...sent } = request;
      storeRedirect(session.name, { ...sent, from: location.href });
      location.assign(url);
    },

    /** On the return page: finishes the sign-in, and goes back to the page that the visitor left. */
    async resume(attempt: Attempt): Promise<void> {
      if (attempt.abort.signal.aborted) return;
      const { returned } = signIn;
      if (!returned) return;
      signIn.returned = undefined;
      const { query, request } = returned;
      try {
        await flow.finish(attempt, query, request);
      } catch (error) {
        signIn.fail(attempt, error);
      }
      const { from } = request;
      const { state } = store;
      if (from === location.href || isPending(state)) return;
      // If only the fragment changes, no page loads that would read the stored result.
      if (withoutHash(from) !== withoutHash(location.href)) {
        if (state.failure) writeValue('session', failureName(session.name), state.failure);
        else provider.saveForNextPage?.();
      }
      location.replace(from);
    },

    async finish(
      { number: attempt, abort }: Attempt,
      response: URLSearchParams,
      { state, codeVerifier, redirectUri }: SentRequest,
    ): Promise<void> {
      const code = readAuthorizationResponse(response, { expectedState: state });
      store.dispatch({ type: 'answered', attempt });
      // Another tab signed in while the popup read as closed.
      if (store.state.status !== 'exchanging') return signIn.end();
      const grant = { code, codeVerifier, redirectUri, scopes: session.scopes() };
      const signedIn = await provider.exchange(grant, abort.signal);
      if (abort.signal.aborted) return;
      signIn.end();
      store.dispatch({ type: 'completed', attempt, session: signedIn });
    },
  };

  /**
   * Reports that the site answered with a page at one of the kit's addresses, such as `/auth/login`. A redirect there
   * would only load this page again, without end.
   */
  function examinePage(): void {
    const { backend } = options;
    const path = backend && new URL(backendUrl(backend, ''), document.baseURI).pathname;
    const { pathname } = location;
    const isKit = path && pathname.startsWith(path);
    const problem =
      isKit && /^(login|callback|logout)\/?$/.test(pathname.slice(path.length))
        ? `${pathname}: ${answerer()} answered, not the Express kit. It must let ${path} pass.`
        : undefined;
    if (problem && problem !== flow.problem) log('error', 'kit_path_taken', problem);
    flow.problem = problem;
  }

  function requestOf(attempt: Attempt, ready: Secrets): AddressedRequest {
    const { callbackUrl } = options;
    return popupRequest(session, ready, { callbackUrl, selectAccount: flow.selectsAccount(attempt) });
  }

  /** A popup that shows one of the service's errors never answers. Only a wrong setting ends the attempt. */
  async function explainSilence(attempt: Attempt, { redirectUri }: SentRequest): Promise<void> {
    const { signal } = attempt.abort;
    let problem: unknown;
    try {
      // With a backend, the page's policy doesn't have to allow the service, and the kit checks the client.
      if (options.backend === undefined) {
        // Only the callback page may ask about the origin (spec, "GET /oauth/client/{clientId}").
        await checkClient(service, { signal });
      }
    } catch (error) {
      if (isForOwner(failureOf(error, 'sign-in'))) problem = error;
    }
    if (signal.aborted || store.state.status !== 'waiting') return;
    const hint = `no answer yet. If the window shows an error, add ${redirectUri} to the redirect URIs of the client.`;
    if (problem) signIn.fail(attempt, problem);
    else log('info', 'no_answer', hint);
  }

  async function handleClosed(
    { number: attempt }: Attempt,
    { redirectUri }: SentRequest,
    startedAt: number,
  ): Promise<void> {
    const fail = (code: LoginFailureCode, message: string, canRetry = false) =>
      store.dispatch({
        type: 'failed',
        attempt,
        failure: { code, during: 'sign-in', message, canRetry },
      });
    fail('popup_closed', 'The sign-in window is closed.');
    // A callback page on this origin needs no opener.
    if (redirectUri.startsWith(`${location.origin}/`)) return;
    // If the focus is back here, the visitor has closed the window. Skip the request: some pages' policies forbid it.
    if (document.hasFocus() && time.clock.now() - startedAt > SEVERED_WITHIN_MS) return;
    signIn.severed = await openerIsSevered();
    if (signIn.severed) {
      fail(
        'opener_severed',
        'Cross-Origin-Opener-Policy: same-origin severs this page from its popups. Send same-origin-allow-popups, or set return-url.',
        signIn.canReturn,
      );
    }
  }
  return flow;
}

/**
 * Stores the pending redirect for this tab.
 * @throws LoginError `cookies_blocked` if the browser denies storage, which it does when it blocks cookies.
 */
function storeRedirect(session: string, request: PendingRedirect): void {
  if (writeValue('session', redirectName(session), request)) return;
  throw new LoginError(
    'cookies_blocked',
    'The browser denies sessionStorage. Sign-in without a popup needs it.',
  );
}
