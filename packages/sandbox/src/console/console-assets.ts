import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder into which Vite bundles the package `console`. */
const FOLDER = fileURLToPath(new URL('../../dist/console/assets/', import.meta.url));
/** Source of the script that every page of the console loads. */
const ENTRY = 'src/main.ts';
/** Names that Vite gives: a name, a hash, and the extension of a script. */
const ASSET_NAME = /^[\w-]+(?:\.[\w-]+)*\.[\w-]{8}\.js$/;

/** Address below which the files are served. `packages/console/vite.config.ts` has the same. */
export const ASSETS_PATH = '/sandbox/assets';

/** Returns the address of the console's script; undefined if the console is not built. */
export async function consoleScript(folder: string = FOLDER): Promise<string | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    return `${ASSETS_PATH}/${manifest[ENTRY].file}`;
  } catch {
    return undefined;
  }
}

/** Reads a file of the console; undefined if there is none. A name with a path finds none. */
export async function readAsset(name: string, folder: string = FOLDER): Promise<Buffer | undefined> {
  if (!ASSET_NAME.test(name)) return undefined;
  return await readFile(join(folder, name)).catch(() => undefined);
}
