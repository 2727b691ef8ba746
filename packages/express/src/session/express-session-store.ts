/** A session as a store keeps it. Everything that matters is in `latchkey`, encrypted. */
export interface StoredSession {
  /** Stores read from it how long to keep the session. */
  cookie: {
    /** Milliseconds. */
    originalMaxAge: number;
    /** Milliseconds. */
    maxAge: number;
    expires: Date;
    httpOnly: true;
    path: '/';
  };
  /** The sealed session, or a mark. */
  latchkey: string;
}

/**
 * What the kit needs of a session store: every `Store` of express-session has it, connect-redis and connect-pg-simple
 * among them. `touch` is optional as it is there; without it sessions stay in the store for their absolute life.
 */
export interface ExpressSessionStore {
  get(id: string, callback: (error: unknown, session?: unknown) => void): unknown;
  set(id: string, session: StoredSession, callback?: (error?: unknown) => void): unknown;
  destroy(id: string, callback?: (error?: unknown) => void): unknown;
  touch?(id: string, session: StoredSession, callback?: (error?: unknown) => void): unknown;
}
