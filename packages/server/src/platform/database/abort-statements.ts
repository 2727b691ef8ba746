const abortions = new WeakMap<object, () => void>();

/** Stores the function that closes the connections of a database. */
export function enableAbort(db: object, abort: () => void): void {
  abortions.set(db, abort);
}

/**
 * Closes all connections of a database at once, so that statements that wait for an unresponsive server reject. SQLite has no
 * such statements.
 */
export function abortStatements(db: object): void {
  abortions.get(db)?.();
}
