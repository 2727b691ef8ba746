import { fileURLToPath } from 'node:url';

/** Returns the path of a file or folder in demo/public, which is served without a build. */
export function publicFolder(name: string): string {
  return fileURLToPath(new URL(`../public/${name}`, import.meta.url));
}
