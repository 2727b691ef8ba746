/** A membership of this site. All ids are in lower case. Exactly one of `communityId` and `productId` is set. */
export interface DirectoryEntry {
  membershipId: string;
  communityId: string | null;
  productId: string | null;
  /** Null if the membership has no plan, or if no source stated it. */
  pricingPlanId: string | null;
}

/** What a trusted source states about one membership. Ids are compared in lower case. */
export interface DirectoryRecord {
  membershipId: string;
  /** Community of the membership. Set exactly one of `communityId` and `productId`. */
  communityId?: string | null | undefined;
  /** Product of the membership. */
  productId?: string | null | undefined;
  /** Pricing plan. Undefined keeps the stored plan; null means that the membership has none. */
  pricingPlanId?: string | null | undefined;
  /**
   * Time of the statement, in milliseconds since the epoch. The newest statement's plan wins. If two have the same
   * time, the one recorded first wins.
   * @default the current time
   */
  observedAt?: number | undefined;
}

export interface ImportResult {
  /** Number of rows that were stored. */
  imported: number;
}

/**
 * Records which memberships belong to this site, and to which community, product and plan. The service's API doesn't
 * tell. All processes of an app share one directory.
 *
 * The id of a membership must be the one in the visitor's own list (`GET /oauth/memberships`). The spec doesn't say
 * that provisioning, checks and webhooks use the same id, so this is an assumption: `membership-id-shared` in
 * docs/live-service.md. Extending, renewing or replacing a membership must keep its id: `membership-id-stable`.
 */
export interface MembershipDirectory {
  /** Returns the entries with these ids, by membership id in lower case. Makes one round trip for thousands of ids. */
  find(membershipIds: readonly string[]): Promise<ReadonlyMap<string, DirectoryEntry>>;
  /**
   * Stores one or more records, all or none. Repeating records, or changing their order, doesn't change the result.
   * @throws DirectoryConflictError if a record has a different community or product than in the directory.
   * @throws LatchkeyOptionsError for an invalid record.
   */
  record(records: DirectoryRecord | readonly DirectoryRecord[]): Promise<void>;
  /**
   * Stores any number of records in batches.
   * @throws DirectoryImportError at the first invalid or conflicting row. The batches before it are stored.
   */
  import(rows: Iterable<DirectoryRecord> | AsyncIterable<DirectoryRecord>): Promise<ImportResult>;
  /** Removes entries. Ids that aren't in the directory are ignored. */
  remove(membershipIds: string | readonly string[]): Promise<void>;
  /** Closes what the directory opened itself. A pool or client that you passed stays open. */
  close(): Promise<void>;
}

/** A validated record about one membership. All ids are in lower case. */
export interface DirectoryStatement {
  membershipId: string;
  communityId: string | null;
  productId: string | null;
  /** Undefined if the record doesn't state the plan. `observedAt` is in milliseconds since the epoch. */
  plan: { id: string | null; observedAt: number } | undefined;
}

export type StoreResult =
  | { kind: 'recorded' }
  /** Nothing was stored: these entries already have a different community or product. */
  | { kind: 'conflict'; stored: readonly DirectoryEntry[] };

/** Storage for a directory. `membershipDirectory(store)` makes a directory of it. */
export interface DirectoryStore {
  /** Returns the existing entries, in any order. The ids are distinct, valid and in lower case. */
  find(membershipIds: readonly string[]): Promise<readonly DirectoryEntry[]>;
  /**
   * Stores all statements in one transaction, or none. There is at most one statement for each membership. A statement
   * replaces the stored plan only if no plan is stored or its `observedAt` is greater than the stored plan's.
   */
  record(statements: readonly DirectoryStatement[]): Promise<StoreResult>;
  remove(membershipIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Lets one process at a time renew a session. `redisLock` and `postgresLock` create one. Your own lock only needs this
 * method.
 */
export interface SessionLock {
  /**
   * Acquires the lock if it's free. Doesn't wait.
   * @param key consists of letters, digits, `-` and `_`.
   * @param ttlMs milliseconds until the lock expires, even if its holder has died.
   * @returns a function that releases this acquisition and no later one, or undefined if the lock is taken.
   * @throws any error if the state of the lock is unknown. The session is then not renewed.
   */
  acquire(key: string, ttlMs: number): Promise<(() => Promise<void>) | undefined>;
}

/** What a store keeps. Everything except its lifetime is encrypted in `latchkey`. */
export interface StoredSession {
  /** Stores get the record's lifetime from this object. */
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
 * A session store. Every express-session `Store` implements it, for example connect-redis and connect-pg-simple.
 * `touch` is optional: without it, records stay in the store for the absolute lifetime.
 */
export interface ExpressSessionStore {
  get(id: string, callback: (error: unknown, session?: unknown) => void): unknown;
  set(id: string, session: StoredSession, callback?: (error?: unknown) => void): unknown;
  destroy(id: string, callback?: (error?: unknown) => void): unknown;
  touch?(id: string, session: StoredSession, callback?: (error?: unknown) => void): unknown;
}

export type EventClaim =
  /** The caller handles the event. The token releases the claim. */
  | { kind: 'claimed'; token: string }
  /** Another process is handling the event. */
  | { kind: 'running' }
  /** The event was handled before. */
  | { kind: 'done' };

/**
 * Records which events were handled: an event that is delivered several times is handled once (spec, "Events", 3). An
 * event is claimed before its handler runs, and marked as done afterwards. In case the process dies, a claim expires
 * after its lease. All processes share one store. If the options list secrets by community or product, ids begin with
 * the event's community or product. If a method rejects, the response is 503, and the service delivers the event again.
 */
export interface WebhookEventStore {
  /** Claims an event for `leaseMs` milliseconds, unless it's already claimed or done. Only one of several callers succeeds. */
  claim(eventId: string, leaseMs: number): Promise<EventClaim>;
  /** Marks an event as done for `keepMs` milliseconds, even if the claim has expired or another caller has claimed it. */
  complete(eventId: string, keepMs: number): Promise<void>;
  /** Releases a claim: the next delivery is then handled. Does nothing if this claim has expired. */
  release(eventId: string, token: string): Promise<void>;
}
