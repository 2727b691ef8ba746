import { randomBytes } from 'node:crypto';

/** Visitor of the preview who signed in. */
export interface PreviewSession {
  readonly userId: string;
  readonly email: string | null;
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly expiresAt: number;
}

/** Most sessions that are kept. The oldest one ends first. */
const SESSIONS_MAX = 100;

/** Sessions of the preview's visitors, in memory. */
export class PreviewSessions {
  readonly #kept = new Map<string, PreviewSession>();

  /** Stores a session under a new random name, and returns the name. */
  add(session: PreviewSession): string {
    const name = randomBytes(24).toString('base64url');
    this.#kept.set(name, session);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > SESSIONS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return name;
  }

  /** Returns the session of a name, unless it has expired. */
  find(name: string, now: number): PreviewSession | undefined {
    const session = this.#kept.get(name);
    return session !== undefined && session.expiresAt > now ? session : undefined;
  }

  end(name: string): void {
    this.#kept.delete(name);
  }
}
