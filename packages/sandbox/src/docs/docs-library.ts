import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { DOCS_PAGES, type DocsPage, docsHref, SKILLS } from './docs-pages.js';
import { type RenderedMarkdown, renderMarkdown, sectionsOf } from './render-markdown.js';

/** Folder of the Markdown files, which the build copies from the repository. */
const FOLDER = new URL('../../dist/documents/', import.meta.url);

export const DOCS_IMAGES: URL = new URL('docs/images/', FOLDER);

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
  #index: { readonly words: MiniSearch; readonly sections: readonly SearchedSection[] } | undefined;

  markdown(page: DocsPage): string {
    return remembered(this.#texts, page, () => readFileSync(new URL(page.file, FOLDER), 'utf8'));
  }

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

  /**
   * Returns the best sections of all pages, best first: those with all words, or if there are none, with some. Words can
   * be incomplete or have a typo.
   */
  find(query: string): DocsHit[] {
    this.#index ??= indexOf(DOCS_PAGES.flatMap((page) => searchedSections(page, this.markdown(page))));
    const { words, sections } = this.#index;
    const wanted = wordsOf(query).join(' ');
    const all = words.search(wanted);
    return (all.length > 0 ? all : words.search(wanted, { combineWith: 'OR' }))
      .slice(0, SHOWN_HITS)
      .flatMap(({ id, terms }) => {
        const found = sections[Number(id)];
        if (found === undefined) return [];
        const { text, ...section } = found;
        return [{ ...section, excerpt: excerptOf(text, terms) }];
      });
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

interface SearchedSection {
  /** Last part of the page's URL. */
  readonly slug: string;
  readonly href: string;
  readonly label: string;
  readonly heading: string;
  /** Plain text below the heading. */
  readonly text: string;
}

/** A section that contains the words of a query. */
export interface DocsHit extends Omit<SearchedSection, 'text'> {
  /** About 160 characters of the section around the first match. */
  readonly excerpt: string;
}

const SHOWN_HITS = 20;
const EXCERPT_LENGTH = 160;
/** Longer queries are cut. */
const QUERY_MAX_LENGTH = 200;
/** Further words of a query are ignored: each one costs time, short ones the most. */
const QUERY_MAX_WORDS = 10;

function indexOf(sections: readonly SearchedSection[]) {
  const words = new MiniSearch({
    fields: ['heading', 'label', 'text'],
    searchOptions: { boost: { heading: 4, label: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  words.addAll(sections.map(({ heading, label, text }, id) => ({ id, heading, label, text })));
  return { words, sections };
}

const tokenize: (text: string) => string[] = MiniSearch.getDefault('tokenize');

function wordsOf(query: string): string[] {
  const words = tokenize(query.slice(0, QUERY_MAX_LENGTH).toLowerCase());
  return [...new Set(words)].filter((word) => word !== '').slice(0, QUERY_MAX_WORDS);
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first < EXCERPT_LENGTH / 2 ? 0 : text.indexOf(' ', first - EXCERPT_LENGTH / 2) + 1;
  const end = start + EXCERPT_LENGTH;
  const cut = end < text.length ? text.lastIndexOf(' ', end) : text.length;
  const shown = text.slice(start, cut > start ? cut : end);
  return `${start > 0 ? '… ' : ''}${shown}${cut < text.length ? ' …' : ''}`;
}
