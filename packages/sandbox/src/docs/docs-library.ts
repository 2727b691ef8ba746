import { readFileSync } from 'node:fs';
import { DOCS_PAGES, type DocsPage, docsHref } from './docs-pages.js';
import { createDocsSearch, type DocsSearch, type SearchedSection } from './docs-search.js';
import { sectionsOf } from './markdown-sections.js';
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.js';

/** Folder of the Markdown files, which the build copies from the repository. */
const FOLDER = new URL('../../dist/documents/', import.meta.url);

/** The documentation as text and as HTML. Each file is read once. */
export interface DocsLibrary {
  markdown(page: DocsPage): string;
  /** Returns the content of a page as HTML, and its headings. */
  rendered(page: DocsPage): RenderedMarkdown;
  sections(): readonly SearchedSection[];
  /** Search over all pages. The first call indexes them. */
  search(): DocsSearch;
}

/** Folder of the images of the pages. */
export const DOCS_IMAGES: URL = new URL('docs/images/', FOLDER);

/** Creates a library over the files of this package. */
export function createDocsLibrary(): DocsLibrary {
  const texts = new Map<DocsPage, string>();
  const pages = new Map<DocsPage, RenderedMarkdown>();
  let search: DocsSearch | undefined;
  const library: DocsLibrary = {
    markdown: (page) => remembered(texts, page, () => readFileSync(new URL(page.file, FOLDER), 'utf8')),
    rendered: (page) => remembered(pages, page, () => renderMarkdown(library.markdown(page), page.file)),
    sections: () => DOCS_PAGES.flatMap((page) => searchedSections(page, library.markdown(page))),
    search() {
      search ??= createDocsSearch(library.sections());
      return search;
    },
  };
  return library;
}

function remembered<Key, Value>(values: Map<Key, Value>, key: Key, read: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = read();
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
