import type { DirectoryEntry } from './membership-directory.js';

/** A record that contradicts the directory. */
export interface DirectoryConflict {
  membershipId: string;
  stored: Pick<DirectoryEntry, 'communityId' | 'productId'>;
  given: Pick<DirectoryEntry, 'communityId' | 'productId'>;
}

/** Thrown for records that name another community or product than the directory. Nothing was stored. */
export class DirectoryConflictError extends Error {
  override readonly name = 'DirectoryConflictError';
  readonly conflicts: readonly DirectoryConflict[];
  /** Entry of the documentation. Node.js prints it with an uncaught error. */
  readonly docs = 'docs/troubleshooting.md#directory_conflict';

  constructor(conflicts: readonly DirectoryConflict[]) {
    super(messageOf(conflicts));
    this.conflicts = conflicts;
  }
}

/** Thrown by `import`. The cause states what is wrong with the row. */
export class DirectoryImportError extends Error {
  override readonly name = 'DirectoryImportError';
  /** Number of rows that were stored before. */
  readonly imported: number;
  /** Entry of the documentation. Node.js prints it with an uncaught error. */
  readonly docs = 'docs/troubleshooting.md#import_stopped';

  constructor(imported: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The import stopped after ${imported} stored rows. ${reason} Correct it and import all rows again: a repeated row changes nothing.`,
      { cause },
    );
    this.imported = imported;
  }
}

/** Conflicts that the message lists. The property lists all. */
const LISTED = 3;

function messageOf(conflicts: readonly DirectoryConflict[]): string {
  const lines = conflicts
    .slice(0, LISTED)
    .map(
      ({ membershipId, stored, given }) =>
        `Membership ${membershipId} belongs to ${nameOf(stored)}, but the record names ${nameOf(given)}.`,
    );
  const more = conflicts.length > LISTED ? [`${conflicts.length - LISTED} more records conflict.`] : [];
  const advice =
    'A membership never changes its community or product, so one of the sources is wrong. If the directory is, call remove() first.';
  return [...lines, ...more, advice].join(' ');
}

function nameOf({ communityId, productId }: DirectoryConflict['stored']): string {
  return communityId === null ? `product ${productId}` : `community ${communityId}`;
}
