import { withServiceNames } from '@latchkey/contract/constants';
import type { RouteContext } from '@latchkey/server';
import { methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import { type Page, renderDocument, sendPage } from '@latchkey/server/ui';
import { Router } from 'express';
import { docsLibrary } from '../docs/docs-library.js';
import { DOCS_PAGES } from '../docs/docs-pages.js';
import { type RenderedMarkdown, renderMarkdown } from '../docs/render-markdown.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';

const PARITY_PATH = '/sandbox/parity';

/** Returns the parity list: how the sandbox and this service differ from the live one. */
function parityPage({
  sandbox,
  open,
  rows,
  text,
}: Omit<ParityTables, 'sandbox' | 'open'> & {
  sandbox: RenderedMarkdown;
  open: RenderedMarkdown;
  /** Shows only rows that contain this; empty for all rows. */
  text: string;
}): Page {
  const headings = [...sandbox.headings, ...open.headings].filter(({ depth }) => depth === 2);
  return renderDocument({
    title: 'Parity list',
    layout: 'reference',
    scripts: [LIVE_SCRIPT.path],
    ...sandboxHeader('parity'),
    children: (
      <main class="console" id="content">
        <div class="page-heading">
          <h1>Parity list</h1>
          <p class="lead">What only the sandbox does, and what the specification leaves open.</p>
        </div>
        <search>
          <form class="search-form" method="get" action={PARITY_PATH}>
            <div class="field">
              <label for="filter">Show rows that contain</label>
              <input
                id="filter"
                name="text"
                type="search"
                autocomplete="off"
                value={text}
                data-filters="decisions"
              />
            </div>
            <button class="button secondary" type="submit">
              Filter
            </button>
          </form>
        </search>
        <p class="muted" id="left" role="status">
          {rows === 1 ? '1 row' : `${rows} rows`}
        </p>
        {rows === 0 && (
          <p class="empty">
            No row contains this text. <a href={PARITY_PATH}>Show all rows</a>
          </p>
        )}
        <nav aria-label="Parts">
          <ul class="parity-parts">
            {headings.map(({ id, text: heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </nav>
        {/* The HTML is rendered from a file of this package, with all HTML in it escaped. */}
        <div id="decisions">
          <div class="prose" dangerouslySetInnerHTML={{ __html: sandbox.html }} />
          <div class="prose" dangerouslySetInnerHTML={{ __html: open.html }} />
        </div>
      </main>
    ),
  });
}

/** Heading of the section about the sandbox. All other sections are about the specification. */
const SANDBOX_HEADING = 'What only the sandbox does';

/** The two halves of the list, as Markdown. */
interface ParityTables {
  /** Differences between the sandbox and the live service. */
  readonly sandbox: string;
  /** Points that the specification leaves open, with our answers. */
  readonly open: string;
  readonly rows: number;
}

/**
 * Splits the decisions into those about the sandbox and those about the specification.
 *
 * @param text shows only rows that contain it. Sections without such a row are left out.
 */
function parityTables(markdown: string, text = ''): ParityTables {
  const parts = markdown
    .split(/^(?=## )/m)
    .slice(1)
    .map((part) => limited(part, text));
  const shown = parts.filter(({ rows }) => rows > 0);
  const joined = (isSandbox: boolean) =>
    shown
      .filter(({ heading }) => (heading === SANDBOX_HEADING) === isSandbox)
      .map(({ markdown }) => markdown)
      .join('\n');
  return {
    sandbox: joined(true),
    open: joined(false),
    rows: shown.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** Drops the rows of a section's tables that don't contain the text. */
function limited(part: string, text: string): { heading: string; markdown: string; rows: number } {
  let rows = 0;
  let isBody = false;
  const lines = part.split('\n').filter((line) => {
    if (!line.startsWith('|')) {
      isBody = false;
      return true;
    }
    if (!isBody) {
      isBody = /^\|[\s|:-]+$/.test(line);
      return true;
    }
    const isShown = line.toLowerCase().includes(text.toLowerCase());
    if (isShown) rows += 1;
    return isShown;
  });
  return { heading: /^## (.*)/.exec(part)?.[1] ?? '', markdown: lines.join('\n'), rows };
}

/** The page with the parity list, made from the server's decisions. */
export function parityRoutes({ serviceNames }: Pick<RouteContext, 'serviceNames'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PARITY_PATH)
    .get((request, response) => {
      const page = DOCS_PAGES.find(({ slug }) => slug === 'decisions');
      if (page === undefined) throw new Error('The documentation has no page of the decisions.');
      const text = requestQuery(request).get('text')?.trim().slice(0, 200) ?? '';
      const tables = parityTables(withServiceNames(docsLibrary.markdown(page), serviceNames), text);
      const html = parityPage({
        sandbox: renderMarkdown(tables.sandbox, page.file),
        open: renderMarkdown(tables.open, page.file),
        rows: tables.rows,
        text,
      });
      sendPage(response, html, { allowsScripts: true });
    })
    .all(methodNotAllowed('GET'));
  return router;
}
