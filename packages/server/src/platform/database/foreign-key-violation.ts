/** PostgreSQL error code. */
const POSTGRES_FOREIGN_KEY = '23503';
/** Extended result code of SQLite. */
const SQLITE_FOREIGN_KEY = 787;

/** True if a write referred to a row that does not exist, for example because another transaction deleted it. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return Number(error.errcode) === SQLITE_FOREIGN_KEY;
  return 'code' in error && error.code === POSTGRES_FOREIGN_KEY;
}
