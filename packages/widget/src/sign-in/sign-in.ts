import { loginUrl, withoutHash } from '../browser/addresses.js';
import { failureOf, LoginError, type LoginFailure } from '../state/login-failure.js';
import { isPending, type LoginStore } from '../state/login-state.js';
import { loadRest } from './load-rest.js';
import { popupsFail, type ReturnedResponse, storeFailure } from './redirect.js';
import type { AddressedRequest, Attempt, SignInHost, SignInOptions, SigningSession } from './request.js';
import type { SignInFlow } from './sign-in-flow.js';

const WIDTH = 480;
const HEIGHT = 640;

/**
 * Starts and ends sign-ins, by popup or by redirect. One attempt runs at a time. What follows the click is in
 * {@link SignInFlow}, which may load later.
 */
export class SignIn implements SignInHost {
  readonly options: SignInOptions;
  readonly session: SigningSession;
  readonly store: LoginStore;
  /** True once a popup was lost. This page's policy severs every popup. */
  severed = false;
  #flow: SignInFlow | undefined;
  #current: Attempt | undefined;

  constructor(options: SignInOptions, session: SigningSession, store: LoginStore) {
    this.options = options;
    this.session = session;
    this.store = store;
  }

  /** True while the page waits for a redirect to happen. */
  get isLeaving(): boolean {
    return this.#current !== undefined && !this.#current.popup;
  }

  /** True if a sign-in can do without a popup. */
  get canReturn(): boolean {
    return (this.options.backend ?? this.options.returnUrl) !== undefined;
  }

  async prepare(): Promise<void> {
    // Without the rest, nothing is prepared. The click loads it again, and reports a failure.
    const flow = await this.#loadFlow().catch(() => {});
    try {
      await flow?.prepare();
    } catch (error) {
      this.store.dispatch({ type: 'unusable', failure: failureOf(error, 'sign-in') });
    }
  }

  /**
   * Starts an attempt, or focuses the popup of the running one.
   * @param switches true to sign in with another account while a user is signed in.
   */
  start(switches = false): void {
    const { session, store } = this;
    if (isPending(store.state)) {
      this.#current?.popup?.focus();
      return;
    }
    if (store.state.session && !switches) return;
    this.end();
    session.selectAccount = switches || session.provider.hasSignedOut;
    store.dispatch({ type: 'attempt', switches });
    const attempt = this.#begin();
    this.#run(attempt).catch((error: unknown) => this.fail(attempt, error));
  }

  end({ keepPopup = false } = {}): void {
    const attempt = this.#current;
    this.#current = undefined;
    attempt?.abort.abort();
    if (!keepPopup) attempt?.popup?.close();
  }

  fail({ number: attempt, abort }: Attempt, error: unknown): void {
    if (abort.signal.aborted) return;
    const failure = failureOf(error, 'sign-in');
    // The popup explains the setting to change, so it stays open.
    this.end({ keepPopup: failure.code === 'origin_refused' });
    this.store.dispatch({ type: 'failed', attempt, failure });
  }

  /** On the return page: finishes the sign-in, and goes back to the page that the visitor left. */
  async resume({ query, request }: ReturnedResponse): Promise<void> {
    const attempt = this.#begin();
    try {
      await (await this.#loadFlow()).finish(attempt, query, request);
    } catch (error) {
      this.fail(attempt, error);
    }
    const { from } = request;
    const { state } = this.store;
    if (from === location.href || isPending(state)) return;
    // A change of the fragment alone loads no page, so nothing would read the stored result.
    if (withoutHash(from) !== withoutHash(location.href)) this.#saveResult(state.failure);
    location.replace(from);
  }

  #saveResult(failure: LoginFailure | undefined): void {
    const { name, provider } = this.session;
    if (failure) storeFailure(name, failure);
    else provider.saveForNextPage();
  }

  #begin(): Attempt {
    this.#current = {
      number: this.store.state.attempt,
      startedAt: this.session.time.clock.now(),
      abort: new AbortController(),
    };
    return this.#current;
  }

  async #loadFlow(): Promise<SignInFlow> {
    const { SignInFlow } = await loadRest(this.session.service.serviceUrl);
    this.#flow ??= new SignInFlow(this);
    return this.#flow;
  }

  /**
   * Runs synchronously until the popup is open. If the rest or the secrets are not ready yet, the popup opens empty and gets
   * its address later.
   */
  async #run(attempt: Attempt): Promise<void> {
    const { canReturn } = this;
    const { mode, backend } = this.options;
    let request: AddressedRequest | undefined;
    if (mode !== 'redirect' && !(canReturn && (this.severed || popupsFail()))) {
      request = this.#flow?.readyRequest();
      attempt.popup = openPopup(request?.url ?? 'about:blank');
      if (attempt.popup) this.#flow?.spend();
      // Browsers also block popups outside of a click. A redirect would then surprise the visitor.
      if (!attempt.popup && !(canReturn && navigator.userActivation?.isActive !== false))
        throw new LoginError('popup_blocked', 'The browser blocked the sign-in window.');
    }
    // The kit does the rest, unless something else answered its address.
    if (!attempt.popup && backend !== undefined && !this.#flow?.problem)
      return location.assign(loginUrl(backend, this.session.selectAccount));
    const flow = await this.#loadFlow();
    if (attempt.abort.signal.aborted) return;
    if (attempt.popup) await flow.followPopup(attempt, attempt.popup, request);
    else await flow.redirect(attempt);
  }
}

/**
 * Opens the sign-in window, centred over this one. Call it synchronously in a click, or the browser blocks the window. The
 * window's name is random, so that no other page can have opened a window with that name.
 *
 * @returns `undefined` if the browser blocked the window.
 */
function openPopup(url: string): Window | undefined {
  const left = Math.max(0, Math.round(screenX + (outerWidth - WIDTH) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - HEIGHT) / 2));
  const popup = open(
    url,
    `latchkey-${crypto.getRandomValues(new Uint32Array(8)).join('-')}`,
    `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`,
  );
  return popup && !popup.closed ? popup : undefined;
}
