import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig, mergeConfig } from 'vite';
import { bundledPackage } from '../bundled-package.ts';

const bundle = bundledPackage({
  folder: import.meta.dirname,
  entries: {
    ...Object.fromEntries(
      ['index', 'ui', 'extension', 'schemas', 'styles'].map((name) => [name, `src/${name}.ts`]),
    ),
    'checkpoint-thread': 'src/platform/database/sqlite/checkpoint-thread.ts',
  },
  // zod loads 60 languages unless it is bundled, and Kysely has 257 modules.
  bundled: ['@latchkey/contract', 'kysely', 'preact', 'preact-render-to-string', 'zod'],
});

// Also copies Swagger UI for the API reference.
export default defineConfig(
  mergeConfig(bundle, { plugins: [{ name: 'copy-swagger-ui', closeBundle: copySwaggerUi }] }),
);

function copySwaggerUi(): void {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  const target = join(import.meta.dirname, 'dist/vendor/swagger-ui');
  mkdirSync(target, { recursive: true });
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
    copyFileSync(join(dirname(manifest), file), join(target, file));
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  writeFileSync(join(target, 'version.txt'), version);
}
