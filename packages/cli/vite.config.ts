import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vite';
import { bundledPackage } from '../bundled-package.ts';

const bundle = bundledPackage({
  folder: import.meta.dirname,
  entries: { latchkey: 'src/latchkey.ts' },
  bundled: ['@bomb.sh/tab', 'commander', 'leven', 'zod', /^@latchkey\/(?:conformance|contract)/],
  imported: ['@latchkey/sandbox', '@latchkey/server', '@latchkey/stripe'],
});

export default defineConfig(
  mergeConfig(bundle, {
    // Schemas in their sources, so that they share the command's copy of zod.
    resolve: {
      alias: {
        '@latchkey/server/schemas': join(import.meta.dirname, '../server/src/schemas.ts'),
        '@latchkey/sandbox/client': join(import.meta.dirname, '../sandbox/src/control/client.ts'),
        '@latchkey/sandbox/routes': join(import.meta.dirname, '../sandbox/src/control/routes/routes.ts'),
      },
    },
  }),
);
