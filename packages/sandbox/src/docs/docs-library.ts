import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DOCS_PAGES, type DocsPage, docsHref, SKILLS } from './docs-pages.js';
import { createDocsSearch, type DocsSearch, type SearchedSection } from './docs-search.js';
import { type RenderedMarkdown, renderMarkdown, sectionsOf } from './render-markdown.js';

/** Folder of the Markdown files, which the build copies from the repository. */
const FOLDER = new URL('../../dist/documents/', import.meta.url);

/** Folder of the images of the pages. */
export const DOCS_IMAGES: URL = new URL('docs/images/', FOLDER);

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

  markdown(page: DocsPage): string {
    return remembered(this.#texts, page, () => readFileSync(new URL(page.file, FOLDER), 'utf8'));
  }

  /** Returns the content of a page as HTML, and its headings. */
  rendered(page: DocsPage): RenderedMarkdown {
    return remembered(this.#pages, page, () => renderMarkdown(this.markdown(page), page.file));
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
    this.#search ??= createDocsSearch(
      DOCS_PAGES.flatMap((page) => searchedSections(page, this.markdown(page))),
    );
    return this.#search;
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
