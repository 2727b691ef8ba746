/** Returns the entry about a failure or a warning in the documentation. Its heading is the code. */
export function docsAddress(code: string): string {
  return `docs/troubleshooting.md#${code}`;
}
