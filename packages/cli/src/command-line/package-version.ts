import { createRequire } from 'node:module';

/** Version of this package. */
export const PACKAGE_VERSION: string = createRequire(import.meta.url)('@latchkey/cli/package.json').version;
