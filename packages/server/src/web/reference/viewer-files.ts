import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../platform/package-folder.js';

/** Files of Swagger UI, by the address that serves them. Addresses contain the version, so caching never expires. */
export interface ViewerFiles {
  readonly scriptPath: string;
  readonly stylesheetPath: string;
  /** Path of each file by its root-relative address. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * The build copies Swagger UI to this folder. As a dependency, its package would bring `@scarf/scarf`, which reports
 * installations, to everyone who installs the server.
 */
const FOLDER = join(PACKAGE_FOLDER, 'dist/vendor/swagger-ui');

/** Reads the version of the copied Swagger UI. */
export function findViewerFiles(): ViewerFiles {
  const version = readFileSync(join(FOLDER, 'version.txt'), 'utf8');
  const addressOf = (file: string) => `/assets/swagger-ui-${version}/${file}`;
  const [script, stylesheet] = ['swagger-ui-bundle.js', 'swagger-ui.css'];
  return {
    scriptPath: addressOf(script),
    stylesheetPath: addressOf(stylesheet),
    files: new Map([script, stylesheet].map((file) => [addressOf(file), join(FOLDER, file)])),
  };
}
