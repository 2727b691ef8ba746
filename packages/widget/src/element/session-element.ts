import { LitElement, type PropertyDeclarations } from 'lit';
import { scriptOrigin } from '../browser/addresses.js';
import type { Messages, OwnMessages } from '../messages/en.js';
import { selectMessages } from '../messages/messages.js';
import type { LoginSession, LoginSessionOptions } from '../session/login-session.js';
import type { SessionSnapshot } from '../state/login-state.js';
import { connectSession } from './session-controller.js';
import { splitList } from './shared.js';

// A bundler's development server loads Lit's development build, which would log a warning about itself on every page.
(globalThis as { litIssuedWarnings?: Set<string> }).litIssuedWarnings?.add('dev-mode');

/** Base class of the elements. Shows one session, and has the attributes that select it. */
export abstract class SessionElement extends LitElement {
  static override properties: PropertyDeclarations = {
    clientId: { attribute: 'client-id', reflect: true },
    serviceUrl: { attribute: 'service-url', reflect: true },
    backend: { reflect: true },
    storage: { reflect: true },
    mode: { reflect: true },
    returnUrl: { attribute: 'return-url', reflect: true },
    callbackUrl: { attribute: 'callback-url', reflect: true },
    scope: { reflect: true },
    session: { attribute: false, noAccessor: true },
    messages: { attribute: false, noAccessor: true },
  };

  /** Id of the public client: `oac_` and 24 hex characters. */
  declare clientId: string | null | undefined;
  /** Base URL of the service. Default: the origin that the script was loaded from. */
  declare serviceUrl: string | null | undefined;
  /** Path of this site where the Express kit is mounted, such as `/auth`. Default: none, the session is standalone. */
  declare backend: string | null | undefined;
  /** Standalone: where tokens are stored: `memory` (default), `session` or `local`. */
  declare storage: 'memory' | 'session' | 'local' | null | undefined;
  /** `popup` (default) or `redirect`. See `LoginSessionOptions`. */
  declare mode: 'popup' | 'redirect' | null | undefined;
  /** Standalone: page of this site to which a sign-in without a popup returns. One of the client's redirect URIs. */
  declare returnUrl: string | null | undefined;
  /**
   * Page where the popup ends, which loads `callback.js`. One of the client's redirect URIs. Default: the callback page of
   * the service if the script came from there, and otherwise `/latchkey/callback.html` of this site.
   */
  declare callbackUrl: string | null | undefined;
  /** Scopes to request, separated by spaces. Default `memberships.read`. Elements that share a session share its scopes. */
  declare scope: string | null | undefined;

  readonly #session = connectSession(this, {
    settings: () => this.sessionSettings(),
    scopes: () => (this.scope ? splitList(this.scope) : undefined),
    onChange: (before, after) => this.sessionChanged(before, after),
  });
  readonly #messages = selectMessages(this);
  /** Not set in simulated browsers, nor in browsers from before May 2024, which throw on these state names. */
  #states: Set<string> | undefined;

  /** The session of this element. Assign one that `createLoginSession` returned to use your own. */
  get session(): LoginSession | undefined {
    return this.#session.session;
  }
  set session(session: LoginSession | undefined) {
    this.#session.session = session;
  }

  /** All texts, in the language of the nearest `lang`. Assign an object with some of them to replace those. */
  get messages(): Messages {
    return this.#messages.messages;
  }
  set messages(texts: OwnMessages | undefined) {
    this.#messages.replace(texts ?? {});
  }

  /** The signed-in user. Store `sub` as the user's key, never `email`. */
  get user(): SessionSnapshot['user'] {
    return this.snapshot?.user;
  }

  /** Active memberships. `undefined` if no user is signed in. */
  get memberships(): SessionSnapshot['memberships'] {
    return this.snapshot?.memberships;
  }

  /** The current state of the session. `undefined` before the element has one. */
  get snapshot(): SessionSnapshot | undefined {
    return this.session?.snapshot;
  }

  /** Returns the settings from the attributes, or `undefined` to use the page's first session. */
  protected sessionSettings(): LoginSessionOptions | undefined {
    const { storage, mode } = this;
    return {
      clientId: this.clientId ?? '',
      serviceUrl: this.serviceUrl ?? scriptOrigin() ?? '',
      backend: this.backend ?? undefined,
      // Any other value means the default.
      storage: storage === 'session' || storage === 'local' ? storage : undefined,
      mode: mode === 'redirect' ? mode : undefined,
      returnUrl: this.returnUrl ?? undefined,
      callbackUrl: this.callbackUrl ?? undefined,
    };
  }

  /**
   * Exposes a state to style sheets as `:state(…)`. The element never changes its own attributes: a framework that
   * hydrates the page compares them with what the server rendered.
   */
  protected showState(state: string): void {
    this.#states ??=
      (globalThis.CSS?.supports('selector(:state(a))') && this.attachInternals?.().states) || new Set();
    this.#states.clear();
    this.#states.add(state);
  }

  /** Called after each change of the session. */
  protected sessionChanged(_before: SessionSnapshot, _after: SessionSnapshot): void {}
}
