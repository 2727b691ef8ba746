import MiniSearch from 'minisearch';

/** A section of a page, as the search needs it. */
export interface SearchedSection {
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

/** Finds sections by words. */
export interface DocsSearch {
  /** Returns the best sections, best first. Words can be incomplete or have a typo. */
  find(query: string): DocsHit[];
}

/** Maximum number of hits. */
const SHOWN_HITS = 20;
const EXCERPT_LENGTH = 160;
/** Longer queries are cut. */
const QUERY_MAX_LENGTH = 200;
/** Further words of a query are ignored: each one costs time, short ones the most. */
const QUERY_MAX_WORDS = 10;

/** Indexes sections. */
export function createDocsSearch(sections: readonly SearchedSection[]): DocsSearch {
  const index = new MiniSearch({
    fields: ['heading', 'label', 'text'],
    searchOptions: { boost: { heading: 4, label: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll(sections.map(({ heading, label, text }, id) => ({ id, heading, label, text })));
  return {
    find(query) {
      return index
        .search(wordsOf(query).join(' '))
        .slice(0, SHOWN_HITS)
        .flatMap(({ id, terms }) => {
          const found = sections[Number(id)];
          if (found === undefined) return [];
          const { slug, href, label, heading, text } = found;
          return [{ slug, href, label, heading, excerpt: excerptOf(text, terms) }];
        });
    },
  };
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
