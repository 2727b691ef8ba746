import { fileURLToPath } from 'node:url';
import type { RouteContext } from '@latchkey/server';
import { requestQuery } from '@latchkey/server/extension';
import {
  type Asset,
  assetOf,
  messagePage,
  type Page,
  renderDocument,
  sendAsset,
  sendPage,
} from '@latchkey/server/ui';
import express, { type Request, type Response, Router } from 'express';
import type { ComponentChildren } from 'preact';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { onGet } from '../services/routes.js';
import type { DocsHit } from './docs-library.js';
import { DOCS_IMAGES, docsLibrary } from './docs-library.js';
import {
  CONTRIBUTOR_PAGES,
  DOCS_GROUPS,
  DOCS_PAGES,
  DOCS_PATH,
  type DocsPage,
  docsHref,
} from './docs-pages.js';
import type { RenderedMarkdown } from './render-markdown.js';

/** Index of skills, by the draft "Agent Skills Discovery via Well-Known URIs", version 0.2.0. */
const SKILLS_PATH = '/.well-known/agent-skills';
const SKILLS_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/*
 * Shows the results of the page of results while the reader types. The arrow keys move through them, and Escape closes
 * them. If the page can't be read, the form works as it does without a script.
 */
const SOURCE = `'use strict';
const form = document.querySelector('.docs-search form');
const field = form.elements.q;
const panel = document.getElementById('docs-results');
const [status, list] = panel.children;

async function show() {
  const query = field.value.trim();
  if (query === '') return close();
  const response = await fetch(form.action + '?' + new URLSearchParams({ q: query }));
  if (!response.ok) throw new Error('status ' + response.status);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (field.value.trim() !== query) return;
  status.textContent = page.querySelector('article .lead').textContent;
  list.replaceChildren(...page.querySelectorAll('article .docs-hits > li'));
  panel.hidden = false;
}

function close() {
  panel.hidden = true;
  list.replaceChildren();
}

field.addEventListener('input', () => void show().catch(close));
form.addEventListener('submit', async (event) => {
  if (field.value.trim() === '') return;
  event.preventDefault();
  try {
    await show();
    list.querySelector('a')?.focus();
  } catch {
    form.submit();
  }
});
form.parentElement.addEventListener('keydown', (event) => {
  if (panel.hidden) return;
  if (event.key === 'Escape') {
    close();
    field.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [field, ...list.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + step;
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
});
// A link within the page leaves the results open above it.
list.addEventListener('click', ({ target }) => { if (target.closest('a') !== null) close(); });
`;

const DOCS_SEARCH_SCRIPT: Asset = assetOf('docs-search.js', 'text/javascript; charset=utf-8', SOURCE);

/** The documentation: pages, the same as Markdown, a search, `/llms.txt`, and the skills for coding assistants. */
export function docsRoutes({ baseUrl }: Pick<RouteContext, 'baseUrl'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const send = (response: Response, page: Page) => sendPage(response, page, { allowsScripts: true });
  const show = (response: Response, page: DocsPage | undefined) => {
    if (page === undefined) return sendMissing(response);
    send(response, docsPage(page, docsLibrary.rendered(page)));
  };
  const search = (request: Request) => {
    const query = requestQuery(request).get('q')?.trim() ?? '';
    return { query, hits: query === '' ? [] : docsLibrary.find(query) };
  };
  onGet(router, DOCS_PATH, (_request, response) => show(response, DOCS_PAGES[0]));
  // The search for programs. It calls pages by the name in `/docs/{name}.md`.
  onGet(router, `${DOCS_PATH}/search.json`, (request, response) => {
    const hits = search(request).hits.map(({ slug, label, ...hit }) => ({ page: slug, ...hit }));
    response.set('Cache-Control', 'no-store').json({ hits });
  });
  onGet(router, `${DOCS_PATH}/search`, (request, response) =>
    send(response, docsSearchPage(search(request))),
  );
  router.use(
    `${DOCS_PATH}/images`,
    express.static(fileURLToPath(DOCS_IMAGES), { index: false, redirect: false }),
  );
  router.get(DOCS_SEARCH_SCRIPT.path, sendAsset(DOCS_SEARCH_SCRIPT));
  onGet<{ name: string }>(router, `${DOCS_PATH}/:name`, ({ params: { name } }, response) => {
    const slug = name.replace(/\.md$/, '');
    const page = DOCS_PAGES.find((each) => each.slug === slug);
    if (page === undefined || slug === name) return show(response, page);
    sendText(response, docsLibrary.markdown(page));
  });
  onGet(router, '/llms.txt', (_request, response) => sendText(response, llmsTxt(baseUrl)));
  onGet(router, `${SKILLS_PATH}/index.json`, (_request, response) => {
    const skills = docsLibrary.skills.map(({ name, description, digest }) => {
      const url = `${SKILLS_PATH}/${name}/SKILL.md`;
      return { name, type: 'skill-md', description, url, digest };
    });
    response.set('Cache-Control', 'no-store').json({ $schema: SKILLS_SCHEMA, skills });
  });
  onGet<{ name: string }>(router, `${SKILLS_PATH}/:name/SKILL.md`, ({ params: { name } }, response) => {
    const skill = docsLibrary.skills.find((each) => each.name === name);
    if (skill === undefined) return sendMissing(response);
    sendText(response, skill.text);
  });
  return router;
}

function docsPage(page: DocsPage, content: RenderedMarkdown): Page {
  const sections = content.headings.filter(({ depth }) => depth === 2);
  return docsDocument({
    title: `${page.label} · Docs`,
    current: page,
    article: (
      <>
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
      </>
    ),
  });
}

function docsSearchPage({ query, hits }: { query: string; hits: readonly DocsHit[] }): Page {
  const number = hits.length === 1 ? '1 section' : `${hits.length} sections`;
  return docsDocument({
    title: 'Search · Docs',
    query,
    article: (
      <>
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
      </>
    ),
  });
}

function docsDocument(props: {
  title: string;
  query?: string;
  current?: DocsPage;
  article: ComponentChildren;
}): Page {
  return renderDocument({
    title: props.title,
    layout: 'reference',
    scripts: [DOCS_SEARCH_SCRIPT.path],
    ...sandboxHeader('docs'),
    children: (
      <main id="content" class="docs" tabIndex={-1}>
        <DocsSearchForm query={props.query} />
        <article class="docs-article">{props.article}</article>
        <DocsNav current={props.current} />
      </main>
    ),
  });
}

function DocsSearchForm({ query }: { query: string | undefined }) {
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

/** Comes after the article in the document, so a narrow page begins with its content. Wide pages show it at the side. */
function DocsNav({ current }: { current: DocsPage | undefined }) {
  const link = (page: DocsPage) => (
    <a
      key={page.slug}
      href={docsHref(page)}
      {...(page === current ? { 'aria-current': 'page' as const } : {})}
    >
      {page.label}
    </a>
  );
  return (
    <nav id="docs-nav" class="section-nav docs-nav" aria-label="Documentation">
      {DOCS_GROUPS.map(({ label, pages }) => (
        <details key={label} open={pages.some((page) => page === current) || current === undefined}>
          <summary>
            <strong>{label}</strong>
          </summary>
          <ul>
            {pages.map((page) => (
              <li key={page.slug}>{link(page)}</li>
            ))}
          </ul>
        </details>
      ))}
      {CONTRIBUTOR_PAGES.slice(0, 1).map(link)}
    </nav>
  );
}

function sendText(response: Response, text: string): void {
  response.set('Cache-Control', 'no-store').type('text/markdown; charset=utf-8').send(text);
}

function sendMissing(response: Response): void {
  const page = messagePage({
    title: 'No such page',
    text: 'The documentation has no page at this address. Its pages can have other addresses in another version.',
    action: { href: DOCS_PATH, label: 'To the documentation' },
  });
  sendPage(response, page, { status: 404 });
}

/** Returns `/llms.txt`: a list of all pages as Markdown, for programs that read documentation (llmstxt.org). */
function llmsTxt(baseUrl: string): string {
  // Programs skip the part "Optional" when they need a shorter text.
  const groups = [...DOCS_GROUPS, { label: 'Optional', pages: CONTRIBUTOR_PAGES }].map(({ label, pages }) =>
    [
      `## ${label}`,
      '',
      ...pages.map(
        ({ slug, label: name, about }) => `- [${name}](${baseUrl}${DOCS_PATH}/${slug}.md): ${about}`,
      ),
    ].join('\n'),
  );
  return [
    '# Latchkey',
    '> Sign-in, gates, checkout and webhooks for a membership service: a login widget, an Express kit, an API client, and a sandbox to test them against.',
    `The sandbox at ${baseUrl} stands in for the live service. Its API is described at ${baseUrl}/openapi.json.`,
    ...groups,
  ].join('\n\n');
}
