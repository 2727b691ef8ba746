import { fileURLToPath } from 'node:url';

/** A file or folder of demo/public, which is served as it is and needs no build. */
export function publicFolder(name: string): string {
  return fileURLToPath(new URL(`../public/${name}`, import.meta.url));
}
