import { LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import type { LoginSession } from '../core/login-session.js';
import type { SessionSnapshot } from '../core/session-snapshot.js';
import { en, type Messages } from '../messages/en.js';
import { defaultServiceUrl } from './default-service-url.js';
import { announceSession, sharedSession, whenFirstSession } from './shared-sessions.js';

/** The properties that name a session, or what it asks for. */
const JOINING = ['clientId', 'serviceUrl', 'backend', 'scope'];

/** What both elements are: a view of one session, named by the same attributes. */
export abstract class SessionElement extends LitElement {
  static override properties: PropertyDeclarations = {
    clientId: { attribute: 'client-id' },
    serviceUrl: { attribute: 'service-url' },
    backend: {},
    scope: {},
    snapshot: { state: true },
  };

  /** The public client: `oac_` and 24 hex characters. */
  declare clientId: string | null | undefined;
  /** Base URL of the service. Default: the origin that the script tag was loaded from. */
  declare serviceUrl: string | null | undefined;
  /** Backend mode: where the site's own server has the kit mounted, such as `/auth`. Default: standalone. */
  declare backend: string | null | undefined;
  /** What to ask for, separated by spaces. Default `memberships.read`. Elements that share a session share this too. */
  declare scope: string | null | undefined;
  /** The session as this element last saw it; `undefined` before it has one. */
  declare snapshot: SessionSnapshot | undefined;

  protected readonly messages: Messages = en;
  /** Whether the element takes the page's first session when it names no client. */
  protected readonly followsFirst: boolean = false;
  #session: LoginSession | undefined;
  #given = false;
  #leave = () => {};

  /** The session behind this element. Set one made by `createLoginSession` to bring your own. */
  get session(): LoginSession | undefined {
    if (!this.#session) this.#join();
    return this.#session;
  }
  set session(session: LoginSession | undefined) {
    this.#given = session !== undefined;
    this.#session = session;
    this.#join();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The first time, the attributes may still be on their way: see willUpdate.
    if (this.hasUpdated) this.#join();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.hasUpdated || JOINING.some((name) => changed.has(name))) this.#join();
  }

  /** Told of every change of the session, but not of how the element found it. */
  protected sessionChanged(_before: SessionSnapshot, _after: SessionSnapshot): void {}

  #join(): void {
    this.#leave();
    if (!this.isConnected) return;
    const { clientId, serviceUrl, backend } = this;
    if (this.#given && this.#session) this.#follow(this.#session);
    else if (!clientId && this.followsFirst) this.#leave = whenFirstSession((first) => this.#follow(first));
    else {
      this.#follow(
        sharedSession({
          clientId: clientId ?? '',
          serviceUrl: serviceUrl ?? defaultServiceUrl(),
          backend: backend ?? undefined,
        }),
      );
    }
  }

  #follow(session: LoginSession): void {
    this.#session = session;
    if (this.scope) session.scopes = this.scope.split(/[\s,]+/).filter(Boolean);
    this.snapshot = session.snapshot;
    this.#leave = session.subscribe((after) => {
      const before = this.snapshot ?? after;
      this.snapshot = after;
      this.sessionChanged(before, after);
    });
    if (this.clientId || this.#given) announceSession(session);
    void session.prepare();
  }
}
