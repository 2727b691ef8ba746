import { checkClient, hostedCallbackUrl, readAuthorizationResponse } from '@latchkey/oauth';
import { backendUrl } from '../browser/addresses.js';
import { wakeAt } from '../browser/wake-up.js';
import { failureOf, isForOwner, LoginError, type LoginFailureCode, log } from '../state/login-failure.js';
import { answerer, openerIsSevered, popupResponse } from './popup.js';
import { storeRedirect } from './redirect.js';
import {
  type AddressedRequest,
  type Attempt,
  AttemptSecrets,
  ownRedirectUri,
  popupRequest,
  redirectRequest,
  type Secrets,
  type SentRequest,
  type SignInHost,
} from './request.js';

/**
 * Milliseconds after the start of an attempt during which a popup that reads as closed was probably severed, not closed
 * by the visitor.
 */
const SEVERED_WITHIN_MS = 5000;

/** Milliseconds without a response after which the reason is looked for. */
const SILENT_MS = 8000;

/** What follows a click on the button: the requests, the response, and the reasons why there is none. */
export class SignInFlow {
  readonly #signIn: SignInHost;
  readonly #secrets = new AttemptSecrets();

  constructor(signIn: SignInHost) {
    this.#signIn = signIn;
  }

  /** What is wrong with this page, if visitors cannot sign in at the kit. */
  problem: string | undefined;

  async prepare(): Promise<void> {
    this.#examinePage();
    if (this.#secrets.ready) return;
    hostedCallbackUrl(this.#signIn.session.service);
    await this.#secrets.prepare();
  }

  /** Returns the request of the next popup. `undefined` if its secrets are not ready. */
  readyRequest(): AddressedRequest | undefined {
    const { ready } = this.#secrets;
    return ready && this.#popupRequest(ready);
  }

  /** Discards the ready secrets. A popup was opened with them, and no other attempt may use them. */
  spend(): void {
    this.#secrets.ready = undefined;
  }

  /** @param ready the request that the popup was opened with. Without it, the popup is empty. */
  async followPopup(attempt: Attempt, popup: Window, ready: AddressedRequest | undefined): Promise<void> {
    const { signal } = attempt.abort;
    const request = ready ?? this.#popupRequest(await this.#secrets.take());
    if (signal.aborted) return;
    if (!ready) popup.location.replace(request.url);
    this.#signIn.store.dispatch({ type: 'opened', attempt: attempt.number });
    void this.#signIn.prepare();
    const { time } = this.#signIn.session;
    const { timers } = time;
    const explain = () => void this.#explainSilence(attempt, request);
    signal.addEventListener('abort', wakeAt(time, time.clock.now() + SILENT_MS, explain));
    const onClosed = () => void this.#handleClosed(attempt, request);
    const response = await popupResponse(popup, request, { timers, signal, onClosed });
    await this.finish(attempt, response, request);
  }

  async redirect({ abort }: Attempt): Promise<void> {
    const { options, session } = this.#signIn;
    if (this.problem) throw new LoginError('misconfigured', this.problem);
    const redirectUri = ownRedirectUri('return-url', options.returnUrl);
    const secrets = await this.#secrets.take();
    if (abort.signal.aborted) return;
    const request = redirectRequest(session, secrets, { redirectUri, state: secrets.nonce });
    const { url, ...sent } = request;
    storeRedirect(session.name, { ...sent, from: location.href });
    location.assign(url);
  }

  async finish(
    { number: attempt, abort }: Attempt,
    response: URLSearchParams,
    { state, codeVerifier, redirectUri }: SentRequest,
  ): Promise<void> {
    const { session, store } = this.#signIn;
    const code = readAuthorizationResponse(response, { expectedState: state });
    store.dispatch({ type: 'answered', attempt });
    // Another tab signed in while the popup read as closed.
    if (store.state.status !== 'exchanging') return this.#signIn.end();
    const { provider, scopes } = session;
    const grant = { code, codeVerifier, redirectUri, scopes: scopes() };
    const signedIn = await provider.exchange(grant, abort.signal);
    if (abort.signal.aborted) return;
    this.#signIn.end();
    store.dispatch({ type: 'completed', attempt, session: signedIn });
  }

  /** Reports a page that the site sent for an address of the kit that visitors open: it would come again and again. */
  #examinePage(): void {
    const { backend } = this.#signIn.options;
    const path = backend && new URL(backendUrl(backend, ''), document.baseURI).pathname;
    const { pathname } = location;
    const isKit = path && pathname.startsWith(path);
    const problem =
      isKit && /^(login|callback|logout)\/?$/.test(pathname.slice(path.length))
        ? `${pathname}: ${answerer()} answered, not the Express kit. It must let ${path} pass.`
        : undefined;
    if (problem && problem !== this.problem) log('error', 'kit_path_taken', problem);
    this.problem = problem;
  }

  #popupRequest(secrets: Secrets): AddressedRequest {
    const { options, session } = this.#signIn;
    return popupRequest(session, secrets, options.callbackUrl);
  }

  /** A popup that shows an error of the service never answers. A wrong setting ends the attempt, anything else does not. */
  async #explainSilence(attempt: Attempt, { redirectUri }: SentRequest): Promise<void> {
    const { signal } = attempt.abort;
    let problem: unknown;
    try {
      // With a backend, the page's policy need not allow the service, and the kit checks the client.
      if (this.#signIn.options.backend === undefined) {
        // Only the callback page may ask about the origin (spec, "GET /oauth/client/{clientId}").
        await checkClient(this.#signIn.session.service, { signal });
      }
    } catch (error) {
      if (isForOwner(failureOf(error, 'sign-in'))) problem = error;
    }
    if (signal.aborted || this.#signIn.store.state.status !== 'waiting') return;
    const hint = `no answer yet. Is ${redirectUri} a redirect URI of the client, and loads callback.js?`;
    if (problem) this.#signIn.fail(attempt, problem);
    else log('info', 'no_answer', hint);
  }

  async #handleClosed({ number: attempt, startedAt }: Attempt, { redirectUri }: SentRequest): Promise<void> {
    const fail = (code: LoginFailureCode, message: string, canRetry = false) =>
      this.#signIn.store.dispatch({
        type: 'failed',
        attempt,
        failure: { code, during: 'sign-in', message, canRetry },
      });
    fail('popup_closed', 'The sign-in window is closed.');
    // A callback page of this site needs no opener.
    if (redirectUri.startsWith(`${location.origin}/`)) return;
    // A visitor who closed the window is back on this page. Some pages' policies forbid the request, so it is avoided.
    if (document.hasFocus() && this.#signIn.session.time.clock.now() - startedAt > SEVERED_WITHIN_MS) return;
    this.#signIn.severed = await openerIsSevered();
    if (this.#signIn.severed) {
      fail(
        'opener_severed',
        'Cross-Origin-Opener-Policy: same-origin severs this page from its popups. Send same-origin-allow-popups, or set return-url.',
        this.#signIn.canReturn,
      );
    }
  }
}
