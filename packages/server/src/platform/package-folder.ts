import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Path of this package's folder. Paths relative to a module would differ between the sources and the bundle. */
export const PACKAGE_FOLDER = dirname(
  createRequire(import.meta.url).resolve('@latchkey/server/package.json'),
);
