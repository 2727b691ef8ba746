import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vite';
import { bundledPackage } from '../bundled-package.ts';

const bundle = bundledPackage({
  folder: import.meta.dirname,
  entries: { latchkey: 'src/latchkey.ts' },
  bundled: [
    '@bomb.sh/tab',
    'commander',
    'eventsource-parser',
    'leven',
    'zod',
    /^@latchkey\/(?:conformance|contract)/,
  ],
  imported: ['@latchkey/sandbox', '@latchkey/server'],
});

export default defineConfig(
  mergeConfig(bundle, {
    // The schemas of the server in its sources, so that they share the command's copy of zod.
    resolve: { alias: { '@latchkey/server/schemas': join(import.meta.dirname, '../server/src/schemas.ts') } },
  }),
);
