import { posix } from 'node:path';
import { escapeHtml } from '@latchkey/contract/constants';
import { CodeBlock, renderPart, Table } from '@latchkey/server/ui';
import { Lexer, Marked, type Token, type Tokens } from 'marked';
import { DOCS_IMAGE_FOLDER, DOCS_PAGES, DOCS_PATH, docsHref } from './docs-pages.js';

/** URL of files that aren't pages of the documentation. */
const REPOSITORY = 'https://github.com/latchkey/latchkey/blob/main/';

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{
    bash: 'Shell',
    console: 'Shell',
    html: 'HTML',
    http: 'HTTP',
    js: 'JavaScript',
    json: 'JSON',
    jsx: 'JSX',
  },
  ...{ sh: 'Shell', shell: 'Shell', sql: 'SQL', svelte: 'Svelte', ts: 'TypeScript', tsx: 'TSX', vue: 'Vue' },
};

/** A heading of a page, and its id for links. */
export interface DocsHeading {
  readonly id: string;
  readonly depth: number;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** All headings in order. The first is the page's title. */
  readonly headings: readonly DocsHeading[];
}

/**
 * Renders a Markdown file from the repository. Links to other pages lead to their URLs here, links to other files to
 * the repository. HTML in the file is shown as text.
 *
 * @param file path of the file in the repository. Its links are relative to it.
 */
export function renderMarkdown(markdown: string, file: string): RenderedMarkdown {
  const headings: DocsHeading[] = [];
  const idOf = headingIds();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = plainText(tokens);
        const id = idOf(text);
        headings.push({ id, depth, text });
        const content = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1 id="${id}">${content}</h1>\n`
          : `<h${depth} id="${id}"><a class="heading-link" href="#${id}">${content}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(targetOf(href, file))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(imageOf(href, file))}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang }: Tokens.Code) {
        const [, language = '', file = ''] = /^(\S*)\s*(.*)$/.exec(lang ?? '') ?? [];
        const label = file || (LANGUAGES[language] ?? 'Code');
        return `${renderPart(<CodeBlock label={label} text={text} />)}\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const columns = header.map(({ tokens }, column) => ({
          heading: plainText(tokens),
          cell: (row: readonly string[]) => (
            // The HTML is rendered from this package's files, with all HTML in them escaped.
            <div dangerouslySetInnerHTML={{ __html: row[column] ?? '' }} />
          ),
        }));
        const label = columns.flatMap(({ heading }) => heading || []).join(', ');
        const cells = rows.map((row) => row.map(({ tokens }) => this.parser.parseInline(tokens)));
        return `${renderPart(<Table label={label} columns={columns} rows={cells} />)}\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return escapeHtml(text);
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}

function targetOf(href: string, file: string): string {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), path));
  const page = DOCS_PAGES.find(
    (each) => each.file === target || posix.dirname(each.file) === target.replace(/\/$/, ''),
  );
  const address = page === undefined ? `${REPOSITORY}${target}` : docsHref(page);
  return hash === undefined ? address : `${address}#${hash}`;
}

function imageOf(href: string, file: string): string {
  const path = posix.join(posix.dirname(file), href);
  return path.startsWith(`${DOCS_IMAGE_FOLDER}/`) ? `${DOCS_PATH}/images/${posix.basename(path)}` : href;
}

/**
 * Creates a function that returns the id of a heading, as GitHub generates it: links then work in the repository and
 * here. Create one function for each page: repeated headings are numbered.
 */
function headingIds(): (text: string) => string {
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

/** Splits a page at its headings. Drops text before the first heading. */
export function sectionsOf(markdown: string): { heading: DocsHeading; text: string }[] {
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

/** Tokens that stand on separate lines. */
const BLOCKS = ['paragraph', 'list_item', 'list', 'table', 'blockquote', 'code'];

function plainText(tokens: readonly Token[]): string {
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
    .join(BLOCKS.includes(tokens[0]?.type ?? '') ? ' ' : '')
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
