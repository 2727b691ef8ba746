import { Lexer, type Token, type Tokens } from 'marked';

/** A heading of a page, and the id under which links find it. */
export interface DocsHeading {
  readonly id: string;
  readonly depth: number;
  readonly text: string;
}

/** A heading and the plain text below it, up to the next heading. */
export interface DocsSection {
  readonly heading: DocsHeading;
  readonly text: string;
}

/**
 * Creates a function that returns the id of a heading, as GitHub generates it. Links then work in the repository and here. Create one
 * function for each page, because repeated headings are numbered.
 */
export function headingIds(): (text: string) => string {
  const uses = new Map<string, number>();
  return (text) => {
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const earlier = uses.get(id) ?? 0;
    uses.set(id, earlier + 1);
    return earlier === 0 ? id : `${id}-${earlier}`;
  };
}

/** Splits a page at its headings. Text before the first heading is dropped. */
export function sectionsOf(markdown: string): DocsSection[] {
  const idOf = headingIds();
  const sections: { heading: DocsHeading; parts: string[] }[] = [];
  for (const token of Lexer.lex(markdown)) {
    if (token.type === 'heading') {
      const { depth, tokens = [] } = token as Tokens.Heading;
      const text = plainText(tokens);
      sections.push({ heading: { id: idOf(text), depth, text }, parts: [] });
    } else {
      sections.at(-1)?.parts.push(plainText([token]));
    }
  }
  return sections.map(({ heading, parts }) => ({ heading, text: parts.filter(Boolean).join(' ') }));
}

/** Tokens that stand on lines of their own. */
const BLOCKS: ReadonlySet<string> = new Set([
  'paragraph',
  'list_item',
  'list',
  'table',
  'blockquote',
  'code',
]);

/** Returns the text of tokens without its markup. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].flatMap((row) => row.map((cell) => plainText(cell.tokens))).join(' ');
      }
      if (token.type === 'list') return plainText((token as Tokens.List).items);
      if (token.type === 'space' || token.type === 'hr') return ' ';
      const inner = 'tokens' in token ? token.tokens : undefined;
      if (inner !== undefined) return plainText(inner);
      return 'text' in token ? unescaped(String(token.text)) : '';
    })
    .join(BLOCKS.has(tokens[0]?.type ?? '') ? ' ' : '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The lexer escapes some characters for HTML. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
