import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { DOCS_IMAGE_FOLDER, DOCS_PAGES, DOCS_PATH, docsHref } from './docs-pages.js';
import { type DocsHeading, headingIds, plainText } from './markdown-sections.js';

/** Address of files that are not pages of the documentation. */
const REPOSITORY = 'https://github.com/latchkey/latchkey/blob/main/';

/** Content of a page as HTML. */
export interface RenderedMarkdown {
  readonly html: string;
  /** All headings in their order. The first is the title of the page. */
  readonly headings: readonly DocsHeading[];
}

/**
 * Renders a Markdown file of the repository. Links to other pages lead to their addresses here, links to other files to the
 * repository. HTML in the file is shown as text.
 *
 * @param file path of the file in the repository, to which its links are relative.
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
          : `<h${depth} id="${id}"><a class="docs-anchor" href="#${id}">${content}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escaped(targetOf(href, file))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escaped(imageOf(href, file))}" alt="${escaped(text)}" loading="lazy">`;
      },
      code({ text, lang }: Tokens.Code) {
        // Focusable, so that it can be scrolled with the keyboard.
        const label = lang ? ` aria-label="Code: ${escaped(lang)}"` : ' aria-label="Code"';
        return `<pre tabindex="0" role="group"${label}><code>${escaped(text)}</code></pre>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return escaped(text);
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return {
    html: html
      .replaceAll('<table>', '<div class="docs-table" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>'),
    headings,
  };
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

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
