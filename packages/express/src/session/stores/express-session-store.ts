/** Record that a store keeps. Everything except its lifetime is encrypted in `latchkey`. */
export interface StoredSession {
  /** Stores derive the lifetime of the record from this object. */
  cookie: {
    /** Milliseconds. */
    originalMaxAge: number;
    /** Milliseconds. */
    maxAge: number;
    expires: Date;
    httpOnly: true;
    path: '/';
  };
  /** The sealed session, or a marker. */
  latchkey: string;
}

/**
 * Session store. Every `Store` of express-session implements it, for example connect-redis and connect-pg-simple.
 * `touch` is optional. Without it, records stay in the store for the absolute lifetime.
 */
export interface ExpressSessionStore {
  get(id: string, callback: (error: unknown, session?: unknown) => void): unknown;
  set(id: string, session: StoredSession, callback?: (error?: unknown) => void): unknown;
  destroy(id: string, callback?: (error?: unknown) => void): unknown;
  touch?(id: string, session: StoredSession, callback?: (error?: unknown) => void): unknown;
}
