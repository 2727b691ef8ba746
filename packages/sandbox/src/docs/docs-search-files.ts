import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DocsLibrary } from './docs-library.js';
import { DOCS_PATH } from './docs-pages.js';
import { DOCS_SEARCH_SCRIPT } from './docs-search-script.js';

/** The compiled search, which browsers and this server use. */
const COMPILED_SEARCH = new URL('../../dist/docs/docs-search.js', import.meta.url);

export interface SearchFile {
  readonly type: string;
  readonly text: string;
}

/** Files with which a page searches in the browser. */
export interface SearchFiles {
  /** Address of the script. It contains a hash of all files, so that browsers can keep them forever. */
  readonly searchScript: string;
  /** Returns a file by its name, or undefined if the version is another one. */
  find(version: string, file: string): SearchFile | undefined;
}

/** Creates the files over a library. The first request reads them. */
export function createSearchFiles(library: Pick<DocsLibrary, 'sections'>): SearchFiles {
  let loaded: { version: string; files: ReadonlyMap<string, SearchFile> } | undefined;
  const load = () => {
    if (loaded !== undefined) return loaded;
    const files = new Map<string, SearchFile>([
      ['search.js', script(DOCS_SEARCH_SCRIPT)],
      ['docs-search.js', script(withRelativeImport(readFileSync(COMPILED_SEARCH, 'utf8')))],
      ['minisearch.js', script(readFileSync(searchLibrary(), 'utf8'))],
      ['sections.json', { type: 'application/json', text: JSON.stringify(library.sections()) }],
    ]);
    const hash = createHash('sha256');
    for (const { text } of files.values()) hash.update(text);
    loaded = { version: hash.digest('hex').slice(0, 12), files };
    return loaded;
  };
  return {
    get searchScript() {
      return `${DOCS_PATH}/assets/${load().version}/search.js`;
    },
    find: (version, file) => (version === load().version ? load().files.get(file) : undefined),
  };
}

function script(text: string): SearchFile {
  return { type: 'text/javascript', text: text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n') };
}

/** Replaces the name of the package, which browsers do not resolve. */
function withRelativeImport(text: string): string {
  return text.replace(/(['"])minisearch\1/, "'./minisearch.js'");
}

/** Path of the search library as a module for browsers. Its package names the CommonJS file first. */
function searchLibrary(): string {
  return createRequire(import.meta.url)
    .resolve('minisearch')
    .replace(/cjs\/index\.cjs$/, 'es/index.js');
}
