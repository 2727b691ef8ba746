import { checkClient, hostedCallbackUrl, readAuthorizationResponse } from '@latchkey/oauth';
import { loginUrl, ownRedirectUri, withoutHash } from '../browser/addresses.js';
import { wakeAt } from '../browser/wake-up.js';
import {
  failureOf,
  isForOwner,
  LoginError,
  type LoginFailure,
  type LoginFailureCode,
  log,
} from '../state/login-failure.js';
import { isPending, type LoginStore } from '../state/login-state.js';
import { openerIsSevered, openSignInPopup, popupResponse, type SignInPopup } from './popup.js';
import { popupsFail, type ReturnedResponse, storeFailure, storeRedirect } from './redirect.js';
import { AttemptSecrets, redirectRequest, type SentRequest, type SigningSession } from './request.js';

/** The settings of a sign-in. */
export interface SignInOptions {
  /** Path of this site where the Express kit is mounted, such as `/auth`. Without it, the session is standalone. */
  backend?: string | undefined;
  /**
   * Way to the service. `popup` falls back to `redirect` if the browser blocks the popup or popups are known
   * to fail. The fallback needs a `backend` or a `returnUrl`.
   * @default 'popup'
   */
  mode?: 'popup' | 'redirect' | undefined;
  /**
   * Standalone: page of this site to which a sign-in by redirect returns. It contains the widget with the same settings,
   * and is one of the client's redirect URIs.
   */
  returnUrl?: string | undefined;
  /**
   * Page of this site that loads `callback.js`, where the popup ends. It is one of the client's redirect URIs. The callback
   * page of the service also works, if it has one.
   * @default the callback page of the service if the script came from there, and otherwise `/latchkey/callback.html`
   */
  callbackUrl?: string | undefined;
}

interface Attempt {
  number: number;
  startedAt: number;
  popup?: Window;
  abort: AbortController;
}

/**
 * Milliseconds after the start of an attempt during which a popup that reads as closed was probably severed, not closed
 * by the visitor.
 */
const SEVERED_WITHIN_MS = 5000;

/** Milliseconds without a response after which the reason is looked for. */
const SILENT_MS = 8000;

/** Signs a visitor in, by popup or by redirect. One attempt runs at a time. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #session: SigningSession;
  readonly #store: LoginStore;
  readonly #secrets = new AttemptSecrets();
  #current: Attempt | undefined;
  /** True once a popup was lost. This page's policy severs every popup. */
  #severed = false;

  constructor(options: SignInOptions, session: SigningSession, store: LoginStore) {
    this.#options = options;
    this.#session = session;
    this.#store = store;
  }

  /** True while the page waits for a redirect to happen. */
  get isLeaving(): boolean {
    return this.#current !== undefined && !this.#current.popup;
  }

  /** True if a sign-in can do without a popup. */
  get #canReturn(): boolean {
    return (this.#options.backend ?? this.#options.returnUrl) !== undefined;
  }

  async prepare(): Promise<void> {
    if (this.#secrets.ready) return;
    try {
      hostedCallbackUrl(this.#session.service);
      await this.#secrets.prepare();
    } catch (error) {
      this.#store.dispatch({ type: 'unusable', failure: failureOf(error, 'sign-in') });
    }
  }

  /** Starts an attempt, or focuses the popup of the running one. */
  start(): void {
    const store = this.#store;
    if (isPending(store.state)) {
      this.#current?.popup?.focus();
      return;
    }
    if (store.state.session) return;
    this.end();
    store.dispatch({ type: 'attempt' });
    const attempt = this.#begin();
    this.#run(attempt).catch((error: unknown) => this.#fail(attempt, error));
  }

  end({ keepPopup = false } = {}): void {
    const attempt = this.#current;
    this.#current = undefined;
    attempt?.abort.abort();
    if (!keepPopup) attempt?.popup?.close();
  }

  /** On the return page: finishes the sign-in, and goes back to the page that the visitor left. */
  async resume({ query, request }: ReturnedResponse): Promise<void> {
    const attempt = this.#begin();
    try {
      await this.#finish(attempt, query, request);
    } catch (error) {
      this.#fail(attempt, error);
    }
    const { from } = request;
    const { state } = this.#store;
    if (from === location.href || isPending(state)) return;
    // A change of the fragment alone loads no page, so nothing would read the stored result.
    if (withoutHash(from) !== withoutHash(location.href)) this.#saveResult(state.failure);
    location.replace(from);
  }

  #saveResult(failure: LoginFailure | undefined): void {
    const { name, provider } = this.#session;
    if (failure) storeFailure(name, failure);
    else provider.saveForNextPage();
  }

  #begin(): Attempt {
    this.#current = {
      number: this.#store.state.attempt,
      startedAt: this.#session.time.clock.now(),
      abort: new AbortController(),
    };
    return this.#current;
  }

  #fail({ number: attempt, abort }: Attempt, error: unknown): void {
    if (abort.signal.aborted) return;
    const failure = failureOf(error, 'sign-in');
    // The popup explains the setting to change, so it stays open.
    this.end({ keepPopup: failure.code === 'origin_refused' });
    this.#store.dispatch({ type: 'failed', attempt, failure });
  }

  /** Runs synchronously until the popup is open. */
  async #run(attempt: Attempt): Promise<void> {
    const { mode, callbackUrl } = this.#options;
    const canReturn = this.#canReturn;
    if (mode === 'redirect' || (canReturn && (this.#severed || popupsFail()))) return this.#redirect(attempt);
    const popup = openSignInPopup(this.#session, this.#secrets, callbackUrl);
    if (popup) return this.#followPopup(attempt, popup);
    // Browsers also block popups outside of a click. A redirect would then surprise the visitor.
    if (canReturn && navigator.userActivation?.isActive !== false) return this.#redirect(attempt);
    throw new LoginError('popup_blocked', 'The browser blocked the sign-in window.');
  }

  async #followPopup(attempt: Attempt, { window: popup, request: sent }: SignInPopup): Promise<void> {
    const { signal } = attempt.abort;
    attempt.popup = popup;
    const request = await sent;
    if (signal.aborted) return;
    this.#store.dispatch({ type: 'opened', attempt: attempt.number });
    void this.prepare();
    const { time } = this.#session;
    const { timers } = time;
    const explain = () => void this.#explainSilence(attempt, request);
    signal.addEventListener('abort', wakeAt(time, time.clock.now() + SILENT_MS, explain));
    const onClosed = () => void this.#handleClosed(attempt, request);
    const response = await popupResponse(popup, request, { timers, signal, onClosed });
    await this.#finish(attempt, response, request);
  }

  /** A popup that shows an error of the service never answers. A wrong setting ends the attempt, anything else does not. */
  async #explainSilence(attempt: Attempt, { redirectUri }: SentRequest): Promise<void> {
    const { signal } = attempt.abort;
    let problem: unknown;
    try {
      // With a backend, the page's policy need not allow the service, and the kit checks the client.
      if (this.#options.backend === undefined) {
        // Only the callback page may ask about the origin (spec, "GET /oauth/client/{clientId}").
        await checkClient(this.#session.service, { signal });
      }
    } catch (error) {
      if (isForOwner(failureOf(error, 'sign-in'))) problem = error;
    }
    if (signal.aborted || this.#store.state.status !== 'waiting') return;
    const hint = `no answer yet. Is ${redirectUri} a redirect URI of the client, and loads callback.js?`;
    if (problem) this.#fail(attempt, problem);
    else log('info', 'no_answer', hint);
  }

  async #handleClosed({ number: attempt, startedAt }: Attempt, { redirectUri }: SentRequest): Promise<void> {
    const fail = (code: LoginFailureCode, message: string, canRetry = false) =>
      this.#store.dispatch({
        type: 'failed',
        attempt,
        failure: { code, during: 'sign-in', message, canRetry },
      });
    fail('popup_closed', 'The sign-in window is closed.');
    // A callback page of this site needs no opener.
    if (redirectUri.startsWith(`${location.origin}/`)) return;
    // A visitor who closed the window is back on this page. Some pages' policies forbid the request, so it is avoided.
    if (document.hasFocus() && this.#session.time.clock.now() - startedAt > SEVERED_WITHIN_MS) return;
    this.#severed = await openerIsSevered();
    if (this.#severed) {
      fail(
        'opener_severed',
        'Cross-Origin-Opener-Policy: same-origin severs this page from its popups. Send same-origin-allow-popups, or set return-url.',
        this.#canReturn,
      );
    }
  }

  async #finish(
    { number: attempt, abort }: Attempt,
    response: URLSearchParams,
    { state, codeVerifier, redirectUri }: SentRequest,
  ): Promise<void> {
    const store = this.#store;
    const code = readAuthorizationResponse(response, { expectedState: state });
    store.dispatch({ type: 'answered', attempt });
    // Another tab signed in while the popup read as closed.
    if (store.state.status !== 'exchanging') return this.end();
    const { provider, scopes } = this.#session;
    const grant = { code, codeVerifier, redirectUri, scopes: scopes() };
    const session = await provider.exchange(grant, abort.signal);
    if (abort.signal.aborted) return;
    this.end();
    store.dispatch({ type: 'completed', attempt, session });
  }

  async #redirect({ abort }: Attempt): Promise<void> {
    const { backend, returnUrl } = this.#options;
    if (backend !== undefined) {
      location.assign(loginUrl(backend));
      return;
    }
    const redirectUri = ownRedirectUri('return-url', returnUrl);
    const secrets = await this.#secrets.take();
    if (abort.signal.aborted) return;
    const request = redirectRequest(this.#session, secrets, { redirectUri, state: secrets.nonce });
    const { url, ...sent } = request;
    storeRedirect(this.#session.name, { ...sent, from: location.href });
    location.assign(url);
  }
}
