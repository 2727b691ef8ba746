import type { LoginSession } from '../core/login-session.js';
import type { SessionSnapshot } from '../core/session-snapshot.js';
import type { Messages } from '../messages/en.js';
import { messagesFor, whenMessagesChange } from '../messages/messages.js';
import { defaultServiceUrl } from './default-service-url.js';
import { announceSession, sharedSession, whenFirstSession } from './shared-sessions.js';
import { ViewElement } from './view-element.js';
import { words } from './words.js';

/** The attributes that name a session, or what it asks for. */
const SESSION_ATTRIBUTES = [
  'client-id',
  'service-url',
  'backend',
  'scope',
  'storage',
  'mode',
  'return-url',
  'callback-url',
];

/** What both elements are: a view of one session, named by the same attributes. */
export abstract class SessionElement extends ViewElement {
  static override observedAttributes: readonly string[] = [...SESSION_ATTRIBUTES, 'lang'];

  /** The public client: `oac_` and 24 hex characters. */
  declare clientId: string | null;
  /** Base URL of the service. Default: the origin that the script tag was loaded from. */
  declare serviceUrl: string | null;
  /** Backend mode: where the site's own server has the kit mounted, such as `/auth`. Default: standalone. */
  declare backend: string | null;
  /** Standalone: where tokens are kept: `memory` (the default), `session` or `local`. */
  declare storage: 'memory' | 'session' | 'local' | null;
  /** `popup` (the default), or `redirect`: see `LoginSessionOptions`. */
  declare mode: 'popup' | 'redirect' | null;
  /** Standalone: the page of this site to come back to when there is no popup, registered for the client. */
  declare returnUrl: string | null;
  /** A page of this site that loads `callback.js`, registered for the client. Default: the service's own. */
  declare callbackUrl: string | null;
  /** What to ask for, separated by spaces. Default `memberships.read`. Elements that share a session share this too. */
  declare scope: string | null;

  /** Whether the element takes the page's first session when it names no client. */
  protected readonly followsFirst: boolean = false;
  /** Aborted when the element leaves the page. */
  protected connection = new AbortController();
  #session: LoginSession | undefined;
  #given = false;
  #stale = true;
  #leave = () => {};
  #texts: Partial<Messages> | undefined;

  /** The session behind this element. Set one made by `createLoginSession` to bring your own. */
  get session(): LoginSession | undefined {
    if (this.#stale) this.#join();
    return this.#session;
  }
  set session(session: LoginSession | undefined) {
    this.#given = session !== undefined;
    this.#session = session;
    this.#stale = true;
    this.requestUpdate();
  }

  /** Every text, in the language of the nearest `lang`. Set some of them to have your own. */
  get messages(): Messages {
    let place: Element | undefined = this;
    let named: HTMLElement | null | undefined;
    // What is in a shadow, such as a gate's button, speaks as what is around it.
    while (place && !named) {
      named = place.closest<HTMLElement>('[lang]');
      place = (place.getRootNode() as ShadowRoot).host;
    }
    return { ...messagesFor(named?.lang ?? ''), ...this.#texts };
  }
  set messages(texts: Partial<Messages> | undefined) {
    this.#texts = texts;
    this.requestUpdate();
  }

  /** Who is signed in. `sub` is the key to store, never `email`. */
  get user(): SessionSnapshot['user'] {
    return this.snapshot?.user;
  }

  /** Active memberships; `undefined` when nobody is signed in. */
  get memberships(): SessionSnapshot['memberships'] {
    return this.snapshot?.memberships;
  }

  /** The session as it stands; `undefined` before the element has one. */
  get snapshot(): SessionSnapshot | undefined {
    return this.session?.snapshot;
  }

  override attributeChangedCallback(name: string): void {
    this.#stale ||= SESSION_ATTRIBUTES.includes(name);
    super.attributeChangedCallback(name);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.connection = new AbortController();
    whenMessagesChange(() => this.requestUpdate(), this.connection.signal);
  }

  disconnectedCallback(): void {
    this.connection.abort();
    this.#leave();
    this.#stale = true;
  }

  /** Told of every change of the session, but not of how the element found it. */
  protected sessionChanged(_before: SessionSnapshot, _after: SessionSnapshot): void {}

  #join(): void {
    this.#leave();
    if (!this.isConnected) return;
    this.#stale = false;
    const { clientId, serviceUrl, backend } = this;
    if (this.#given && this.#session) this.#follow(this.#session);
    else if (clientId === null && this.followsFirst) {
      this.#leave = whenFirstSession((first) => {
        this.#follow(first);
        this.requestUpdate();
        return this.#leave;
      });
    } else {
      const { storage, mode, returnUrl, callbackUrl } = this;
      const session = sharedSession({
        clientId: clientId ?? '',
        serviceUrl: serviceUrl ?? defaultServiceUrl(),
        backend: backend ?? undefined,
        // Every other word means the default.
        storage: storage === 'session' || storage === 'local' ? storage : undefined,
        mode: mode === 'redirect' ? mode : undefined,
        returnUrl: returnUrl ?? undefined,
        callbackUrl: callbackUrl ?? undefined,
      });
      if (clientId) announceSession(session);
      this.#follow(session);
    }
  }

  #follow(session: LoginSession): void {
    this.#session = session;
    if (this.scope) session.scopes = words(this.scope);
    let before = session.snapshot;
    this.#leave = session.subscribe((after) => {
      this.requestUpdate();
      this.sessionChanged(before, after);
      before = after;
    });
    void session.prepare();
  }
}
