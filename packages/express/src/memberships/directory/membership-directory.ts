/** A membership of this site. All ids are in lower case. Exactly one of `communityId` and `productId` is set. */
export interface DirectoryEntry {
  membershipId: string;
  communityId: string | null;
  productId: string | null;
  /** Null if the membership has no plan, or if no source stated it. */
  pricingPlanId: string | null;
}

/** Statement of a trusted source about one membership. Ids are compared in lower case. */
export interface DirectoryRecord {
  membershipId: string;
  /** Community of the membership. Set exactly one of `communityId` and `productId`. */
  communityId?: string | null | undefined;
  /** Product of the membership. */
  productId?: string | null | undefined;
  /** Pricing plan. Undefined keeps the stored plan. Null states that the membership has none. */
  pricingPlanId?: string | null | undefined;
  /**
   * Time of the statement in milliseconds since the epoch. The plan of the newest statement wins. Of statements with the same
   * time, the one that was recorded first wins.
   * @default The current time.
   */
  observedAt?: number | undefined;
}

/** Result of an import. */
export interface ImportResult {
  /** Number of rows. */
  imported: number;
}

/**
 * Records which memberships belong to this site, and to which community, product and plan. The API of the service does
 * not contain this. All processes of an app share one directory.
 *
 * The id of a membership must be the one in the visitor's own list (`GET /oauth/memberships`). The spec does not say that
 * provisioning, checks and webhooks name it by the same id, so this is an assumption: `membership-id-shared` in
 * docs/live-service.md. Extending, renewing or replacing a membership must keep its id: `membership-id-stable`.
 */
export interface MembershipDirectory {
  /** Returns the entries of the given ids, by membership id in lower case. Makes one round trip for thousands of ids. */
  find(membershipIds: readonly string[]): Promise<ReadonlyMap<string, DirectoryEntry>>;
  /**
   * Stores one or more records, all or none. Repeated records and the order of records do not change the result.
   * @throws DirectoryConflictError if a record names another community or product than the directory.
   * @throws LatchkeyOptionsError for an invalid record.
   */
  record(records: DirectoryRecord | readonly DirectoryRecord[]): Promise<void>;
  /**
   * Stores any number of records in batches.
   * @throws DirectoryImportError at the first invalid or conflicting row. The batches before it are stored.
   */
  import(rows: Iterable<DirectoryRecord> | AsyncIterable<DirectoryRecord>): Promise<ImportResult>;
  /** Removes entries. Ids that the directory does not contain are ignored. */
  remove(membershipIds: string | readonly string[]): Promise<void>;
  /** Closes what the directory opened itself. A pool or client of the app stays open. */
  close(): Promise<void>;
}
