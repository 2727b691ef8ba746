import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UserConfig } from 'vite';

/** A package whose published JavaScript is a bundle. tsc writes only its types. */
interface BundledPackage {
  readonly folder: string;
  /** Source files of the entries, by the name of the built file. */
  readonly entries: Readonly<Record<string, string>>;
  /** Libraries in the bundle. Only ES modules without files of their own can be bundled. */
  readonly bundled: readonly (string | RegExp)[];
  /** Workspace packages that stay imports. Vite bundles the others. */
  readonly imported?: readonly string[];
}

/**
 * Configuration of Vite that writes a package for Node.js as one file for each entry, with chunks for what is imported
 * later. Finding, reading and linking hundreds of small modules takes more time at each start than running them.
 */
export function bundledPackage({ folder, entries, bundled, imported = [] }: BundledPackage): UserConfig {
  const dist = join(folder, 'dist');
  return {
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: dist,
      emptyOutDir: false,
      target: 'node22',
      // Stack traces have to name functions.
      minify: false,
      sourcemap: true,
      // Each licence has to be part of every copy.
      license: { fileName: 'bundled-licenses.md' },
      rolldownOptions: {
        input: { ...entries },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
    ssr: { noExternal: [...bundled], external: [...imported] },
    plugins: [
      {
        name: 'remove-stale-files',
        writeBundle(_options, bundle) {
          // They would be published.
          for (const file of globSync('**/*.js{,.map}', { cwd: dist, exclude: ['vendor/**'] })) {
            if (!(file in bundle)) rmSync(join(dist, file));
          }
        },
      },
    ],
  };
}
