import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { LoginSession, LoginSessionOptions } from '../session/login-session.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';
import { announceSession, firstSession, onFirstSession, sharedSession } from './shared-sessions.js';

export interface SessionControllerOptions {
  /** Returns the settings of the host's session. `undefined` if it names no client and uses the page's first session. */
  settings(): LoginSessionOptions | undefined;
  /** Returns the scopes that the host requests. `undefined` leaves those of the session unchanged. */
  scopes(): readonly string[] | undefined;
  /** Called after each change of the session, not when the host connects to it. */
  onChange?: (before: SessionSnapshot, after: SessionSnapshot) => void;
}

/** Connects an element to its session and updates the element after each change. */
export class SessionController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: SessionControllerOptions;
  #session: LoginSession | undefined;
  /** True if the page assigned the session. */
  #isAssigned = false;
  /** The settings for which `#session` was looked up, as JSON. */
  #connected: string | undefined;
  #disconnect = () => {};
  /** Withdraws the announced session, or stops waiting for another first one. */
  #leave = () => {};

  constructor(host: ReactiveControllerHost & Element, options: SessionControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** The host's session, for its current settings. */
  get session(): LoginSession | undefined {
    this.#connect();
    return this.#session;
  }

  /** Assigns a session. `undefined` returns to the session of the host's settings. */
  set session(session: LoginSession | undefined) {
    this.#release();
    this.#isAssigned = session !== undefined;
    this.#session = session;
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    // Lit updates an element only when it is connected for the first time.
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#release();
  }

  hostUpdate(): void {
    this.#connect();
  }

  #connect(): void {
    if (!this.#host.isConnected) return;
    const settings = this.#options.settings();
    const key = JSON.stringify([settings, this.#options.scopes()]);
    if (key === this.#connected) return;
    this.#release();
    this.#connected = key;
    if (this.#isAssigned && this.#session) this.#follow(this.#session);
    else if (settings) this.#followShared(settings);
    else this.#followFirst();
  }

  #followShared(settings: LoginSessionOptions): void {
    const session = sharedSession(settings);
    if (settings.clientId) this.#leave = announceSession(session);
    this.#follow(session);
  }

  #followFirst(): void {
    this.#leave = onFirstSession(() => {
      this.#connected = undefined;
      this.#host.requestUpdate();
    });
    const first = firstSession();
    if (first) this.#follow(first);
  }

  #follow(session: LoginSession): void {
    this.#session = session;
    session.scopes = this.#options.scopes() ?? session.scopes;
    let before = session.snapshot;
    this.#disconnect = session.subscribe((after) => {
      this.#host.requestUpdate();
      this.#options.onChange?.(before, after);
      before = after;
    });
    // In a later task, so that the element is rendered first. A click before it still opens the popup.
    setTimeout(() => session.prepare());
  }

  #release(): void {
    this.#disconnect();
    this.#leave();
    this.#disconnect = this.#leave = () => {};
    this.#connected = undefined;
  }
}
