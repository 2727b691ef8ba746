import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DOCS_PAGES, DOCS_PATH, type DocsPage, docsHref, SKILLS } from './docs-pages.js';
import { createDocsSearch, type DocsSearch, type SearchedSection } from './docs-search.js';
import { DOCS_SEARCH_SCRIPT } from './docs-search-script.js';
import { type RenderedMarkdown, renderMarkdown, sectionsOf } from './render-markdown.js';

/** Folder of the Markdown files, which the build copies from the repository. */
const FOLDER = new URL('../../dist/documents/', import.meta.url);

/** Folder of the images of the pages. */
export const DOCS_IMAGES: URL = new URL('docs/images/', FOLDER);

/** The compiled search, for browsers and this server. */
const COMPILED_SEARCH = new URL('../../dist/docs/docs-search.js', import.meta.url);

/** A file that a page needs to search in the browser. */
interface SearchFile {
  readonly type: string;
  readonly text: string;
}

/** A skill for coding assistants. */
interface Skill {
  readonly name: string;
  readonly description: string;
  readonly text: string;
  /** SHA-256 of the text, as `sha256:` and hexadecimal digits. */
  readonly digest: string;
}

/** The documentation as text and as HTML, and its search. Each file is read once, when it's first needed. */
class DocsLibrary {
  readonly #texts = new Map<DocsPage, string>();
  readonly #pages = new Map<DocsPage, RenderedMarkdown>();
  #skills: readonly Skill[] | undefined;
  #search: DocsSearch | undefined;
  #searchFiles: { version: string; files: ReadonlyMap<string, SearchFile> } | undefined;

  markdown(page: DocsPage): string {
    return remembered(this.#texts, page, () => readFileSync(new URL(page.file, FOLDER), 'utf8'));
  }

  /** Returns the content of a page as HTML, and its headings. */
  rendered(page: DocsPage): RenderedMarkdown {
    return remembered(this.#pages, page, () => renderMarkdown(this.markdown(page), page.file));
  }

  sections(): readonly SearchedSection[] {
    return DOCS_PAGES.flatMap((page) => searchedSections(page, this.markdown(page)));
  }

  get skills(): readonly Skill[] {
    this.#skills ??= SKILLS.map(({ name, file }) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      const [, description = ''] = /^description: (.*)$/m.exec(text) ?? [];
      const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
      return { name, description, text, digest };
    });
    return this.#skills;
  }

  /** Search over all pages. */
  get search(): DocsSearch {
    this.#search ??= createDocsSearch(this.sections());
    return this.#search;
  }

  /** URL of the script that searches in the browser. It contains a hash of all files, so browsers can keep them forever. */
  get searchScript(): string {
    return `${DOCS_PATH}/assets/${this.#loadSearchFiles().version}/search.js`;
  }

  /** Returns one of the browser search's files by name, or undefined if the version differs. */
  searchFile(version: string, file: string): SearchFile | undefined {
    const loaded = this.#loadSearchFiles();
    return version === loaded.version ? loaded.files.get(file) : undefined;
  }

  #loadSearchFiles() {
    if (this.#searchFiles !== undefined) return this.#searchFiles;
    const files = new Map<string, SearchFile>([
      ['search.js', script(DOCS_SEARCH_SCRIPT)],
      ['docs-search.js', script(withRelativeImport(readFileSync(COMPILED_SEARCH, 'utf8')))],
      ['minisearch.js', script(readFileSync(searchLibrary(), 'utf8'))],
      ['sections.json', { type: 'application/json', text: JSON.stringify(this.sections()) }],
    ]);
    const hash = createHash('sha256');
    for (const { text } of files.values()) hash.update(text);
    this.#searchFiles = { version: hash.digest('hex').slice(0, 12), files };
    return this.#searchFiles;
  }
}

/** This package's documentation, for all sandboxes in the process. */
export const docsLibrary = new DocsLibrary();

function remembered<Key, Value>(values: Map<Key, Value>, key: Key, read: () => Value): Value {
  const value = values.get(key) ?? read();
  values.set(key, value);
  return value;
}

function searchedSections(page: DocsPage, markdown: string): SearchedSection[] {
  const href = docsHref(page);
  return sectionsOf(markdown).map(({ heading: { id, depth, text: heading }, text }) => ({
    slug: page.slug,
    href: depth === 1 ? href : `${href}#${id}`,
    label: page.label,
    heading,
    text,
  }));
}

function script(text: string): SearchFile {
  return { type: 'text/javascript', text: text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n') };
}

/** Replaces the package's name, which browsers can't resolve. */
function withRelativeImport(text: string): string {
  return text.replace(/(['"])minisearch\1/, "'./minisearch.js'");
}

/** Returns the path of the search library as a module for browsers. Its package.json lists the CommonJS file first. */
function searchLibrary(): string {
  return createRequire(import.meta.url)
    .resolve('minisearch')
    .replace(/cjs\/index\.cjs$/, 'es/index.js');
}
