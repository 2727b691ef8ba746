/** First patch with the correction, by minor version of SQLite 3. Later minor versions have it from the start. */
const CORRECTED: ReadonlyMap<number, number> = new Map([
  [44, 6],
  [50, 7],
  [51, 3],
]);
const LAST_AFFECTED_MINOR = 51;

/**
 * True if a version of SQLite can lose committed writes when one connection runs a checkpoint while another one commits
 * (https://sqlite.org/wal.html#walresetbug). The commit can start the log over after the checkpoint has read where the log ends.
 * The checkpoint then marks pages as copied that it has not copied.
 *
 * @param version such as `3.51.3`.
 */
export function hasCheckpointRace(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major > 3 || minor > LAST_AFFECTED_MINOR) return false;
  return patch < (CORRECTED.get(minor) ?? Number.POSITIVE_INFINITY);
}
