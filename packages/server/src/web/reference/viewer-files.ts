import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The kept library whose files the viewer is made of: where they lie, and where they are served. */
export interface ViewerFiles {
  readonly scriptPath: string;
  readonly stylesheetPath: string;
  /** Every file by the address that it is served at. The address holds the version, so it can be cached for ever. */
  readonly files: ReadonlyMap<string, string>;
}

/** Finds the installed Swagger UI. Its files are read when somebody asks for them. */
export function findViewerFiles(): ViewerFiles {
  const manifest = fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const served = (file: string) => `/assets/swagger-ui-${version}/${file}`;
  const [script, stylesheet] = ['swagger-ui-bundle.js', 'swagger-ui.css'];
  return {
    scriptPath: served(script),
    stylesheetPath: served(stylesheet),
    files: new Map([script, stylesheet].map((file) => [served(file), join(dirname(manifest), file)])),
  };
}
