import { type Page, renderDocument } from '@latchkey/server/ui';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { DOCS_GROUPS, DOCS_PATH, type DocsPage, docsHref } from './docs-pages.js';
import type { DocsHit } from './docs-search.js';
import type { RenderedMarkdown } from './render-markdown.js';

export interface DocsScripts {
  /** Address of the script that searches in the browser. */
  readonly searchScript: string;
}

export function docsPage(
  { page, content }: { page: DocsPage; content: RenderedMarkdown },
  { searchScript }: DocsScripts,
): Page {
  const sections = content.headings.filter(({ depth }) => depth === 2);
  return renderDocument({
    title: `${page.label} · Docs`,
    layout: 'reference',
    modules: [searchScript],
    ...sandboxHeader('docs'),
    children: (
      <main id="content" class="docs" tabIndex={-1}>
        <DocsSearchForm />
        <article class="docs-article">
          {sections.length > 2 && (
            <details class="fold docs-contents">
              <summary>On this page</summary>
              <ul>
                {sections.map(({ id, text }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{text}</a>
                  </li>
                ))}
              </ul>
            </details>
          )}
          {/* The HTML is rendered from files of this package, with all HTML in them escaped. */}
          <div class="prose" dangerouslySetInnerHTML={{ __html: content.html }} />
          <p class="fine">
            <a href={`${DOCS_PATH}/${page.slug}.md`}>This page as Markdown</a>
          </p>
        </article>
        <DocsNav current={page} />
      </main>
    ),
  });
}

export function docsSearchPage(
  { query, hits }: { query: string; hits: readonly DocsHit[] },
  { searchScript }: DocsScripts,
): Page {
  const number = hits.length === 1 ? '1 section' : `${hits.length} sections`;
  return renderDocument({
    title: 'Search · Docs',
    layout: 'reference',
    modules: [searchScript],
    ...sandboxHeader('docs'),
    children: (
      <main id="content" class="docs" tabIndex={-1}>
        <DocsSearchForm query={query} />
        <article class="docs-article">
          <h1>Search</h1>
          <p class="lead">
            {hits.length === 0 ? `No section contains “${query}”.` : `${number} for “${query}”.`}
          </p>
          <ol class="docs-hits">
            {hits.map(({ label, href, heading, excerpt }) => (
              <li key={href}>
                <a href={href}>{heading}</a>
                <span class="fine">{label}</span>
                <p>{excerpt}</p>
              </li>
            ))}
          </ol>
        </article>
        <DocsNav />
      </main>
    ),
  });
}

function DocsSearchForm({ query }: { query?: string }) {
  return (
    <search class="docs-search">
      <form action={`${DOCS_PATH}/search`}>
        <label class="visually-hidden" for="docs-query">
          Search the documentation
        </label>
        <input id="docs-query" type="search" name="q" placeholder="Search" value={query} maxLength={200} />
        <button type="submit" class="button secondary small">
          Search
        </button>
      </form>
      {/* Filled by the script of the page. Without it, the form leads to the page of results. */}
      <div id="docs-results" class="panel docs-results" hidden>
        <p class="fine" role="status" />
        <ol class="docs-hits" />
      </div>
      <a class="docs-all" href="#docs-nav">
        All pages
      </a>
    </search>
  );
}

/** Below the article in the document, so that a narrow page begins with its content. Wide pages show it beside. */
function DocsNav({ current }: { current?: DocsPage }) {
  return (
    <nav id="docs-nav" class="section-nav docs-nav" aria-label="Documentation">
      {DOCS_GROUPS.map(({ label, pages }) => (
        <details key={label} open={pages.some((page) => page === current) || current === undefined}>
          <summary>
            <strong>{label}</strong>
          </summary>
          <ul>
            {pages.map((page) => (
              <li key={page.slug}>
                <a href={docsHref(page)} {...(page === current ? { 'aria-current': 'page' as const } : {})}>
                  {page.label}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}
