import type { Snapshot } from '@latchkey/sandbox';

/** Saves a snapshot as a file of the visitor. */
export function download(fileName: string, snapshot: Snapshot): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(snapshot)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has read the address by the next task.
  setTimeout(() => URL.revokeObjectURL(address));
}

/**
 * Returns the content of an exported file.
 *
 * @throws Error if the file is not JSON.
 */
export async function readSnapshot(file: File): Promise<unknown> {
  const text = await file.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file.name} is not JSON. Choose a file that a sandbox exported.`, { cause: error });
  }
}

/** Returns a name for an imported snapshot: that of its file, without the ending. */
export function snapshotNameOf(fileName: string): string {
  const name = fileName
    .replace(/\.json$/i, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  return name === '' ? 'imported' : name;
}
