import { type Page, renderDocument } from '@latchkey/server/ui';
import type { RenderedMarkdown } from '../docs/render-markdown.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';

/** Address of the parity list. */
export const PARITY_PATH = '/sandbox/parity';

/** Props of {@link parityPage}. */
export interface ParityPageProps {
  /** Differences between the sandbox and the live service. */
  readonly sandbox: RenderedMarkdown;
  /** Points that the specification leaves open. */
  readonly open: RenderedMarkdown;
  readonly rows: number;
  /** Text that the shown rows contain; empty for all rows. */
  readonly text: string;
}

/** Parity list: how the sandbox and this service differ from the live one. */
export function parityPage({ sandbox, open, rows, text }: ParityPageProps): Page {
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
