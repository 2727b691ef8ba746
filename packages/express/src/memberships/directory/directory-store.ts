import type { DirectoryEntry } from './membership-directory.js';

/** Validated record about one membership. All ids are in lower case. */
export interface DirectoryStatement {
  membershipId: string;
  communityId: string | null;
  productId: string | null;
  /** Undefined if the record does not state the plan. `observedAt` is in milliseconds since the epoch. */
  plan: { id: string | null; observedAt: number } | undefined;
}

export type StoreResult =
  | { kind: 'recorded' }
  /** Nothing was stored, because these stored entries have another community or product. */
  | { kind: 'conflict'; stored: readonly DirectoryEntry[] };

/** Storage of a directory. `membershipDirectory(store)` turns it into a directory. */
export interface DirectoryStore {
  /** Returns the entries that exist, in any order. The ids are distinct, valid and in lower case. */
  find(membershipIds: readonly string[]): Promise<readonly DirectoryEntry[]>;
  /**
   * Stores all statements in one transaction, or none. There is at most one statement for each membership. A statement
   * replaces the stored plan only if its `observedAt` is greater than that of the stored plan, or no plan is stored.
   */
  record(statements: readonly DirectoryStatement[]): Promise<StoreResult>;
  remove(membershipIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
