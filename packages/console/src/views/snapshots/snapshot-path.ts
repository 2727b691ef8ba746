/** Returns the path of a snapshot in the control API. */
export function snapshotPath(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}
