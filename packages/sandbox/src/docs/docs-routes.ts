import { fileURLToPath } from 'node:url';
import type { RouteContext } from '@latchkey/server';
import { methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import { messagePage, sendPage } from '@latchkey/server/ui';
import express, { type RequestHandler, type Response, Router } from 'express';
import { createDocsLibrary, DOCS_IMAGES, type DocsLibrary } from './docs-library.js';
import { docsPage, docsSearchPage } from './docs-page.js';
import { DOCS_GROUPS, DOCS_PAGES, DOCS_PATH, type DocsPage } from './docs-pages.js';
import { createSearchFiles, type SearchFiles } from './docs-search-files.js';

/** The documentation: pages, the same as Markdown, a search, and `/llms.txt`. */
export function docsRoutes({ baseUrl }: Pick<RouteContext, 'baseUrl'>): Router {
  const library = createDocsLibrary();
  const searchFiles = createSearchFiles(library);
  const docs = { library, searchFiles };
  const router = Router({ caseSensitive: true, strict: true });
  const [first] = DOCS_PAGES;
  router
    .route(DOCS_PATH)
    .get((_request, response) =>
      first === undefined ? sendMissing(response) : sendDocs(response, docs, first),
    )
    .all(methodNotAllowed('GET'));
  router.route(`${DOCS_PATH}/search.json`).get(searchAsJson(library)).all(methodNotAllowed('GET'));
  router.route(`${DOCS_PATH}/search`).get(search(docs)).all(methodNotAllowed('GET'));
  router.use(
    `${DOCS_PATH}/images`,
    express.static(fileURLToPath(DOCS_IMAGES), { index: false, redirect: false }),
  );
  router
    .route(`${DOCS_PATH}/assets/:version/:file`)
    .get(sendSearchFile(searchFiles))
    .all(methodNotAllowed('GET'));
  router.route(`${DOCS_PATH}/:name`).get(showDocs(docs)).all(methodNotAllowed('GET'));
  router
    .route('/llms.txt')
    .get((_request, response) => sendText(response, llmsTxt(baseUrl)))
    .all(methodNotAllowed('GET'));
  return router;
}

/** Parts that the pages are made of. */
interface Docs {
  readonly library: DocsLibrary;
  readonly searchFiles: SearchFiles;
}

function sendSearchFile(searchFiles: SearchFiles): RequestHandler<{ version: string; file: string }> {
  return ({ params: { version, file } }, response) => {
    const found = searchFiles.find(version, file);
    if (found === undefined) return sendMissing(response);
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(found.type).send(found.text);
  };
}

function showDocs(docs: Docs): RequestHandler<{ name: string }> {
  return ({ params: { name } }, response) => {
    const slug = name.replace(/\.md$/, '');
    const page = DOCS_PAGES.find((each) => each.slug === slug);
    if (page === undefined) return sendMissing(response);
    return slug === name ? sendDocs(response, docs, page) : sendText(response, docs.library.markdown(page));
  };
}

function search({ library, searchFiles }: Docs): RequestHandler {
  return (request, response) => {
    const query = requestQuery(request).get('q')?.trim() ?? '';
    const hits = query === '' ? [] : library.search().find(query);
    sendPage(response, docsSearchPage({ query, hits }, searchFiles), { allowsScripts: true });
  };
}

/** The search for programs: the names of the pages are those of `/docs/{name}.md`. */
function searchAsJson(library: DocsLibrary): RequestHandler {
  return (request, response) => {
    const query = requestQuery(request).get('q')?.trim() ?? '';
    const hits = query === '' ? [] : library.search().find(query);
    response.set('Cache-Control', 'no-store').json({
      hits: hits.map(({ slug, href, heading, excerpt }) => ({ page: slug, href, heading, excerpt })),
    });
  };
}

function sendDocs(response: Response, { library, searchFiles }: Docs, page: DocsPage): void {
  const html = docsPage({ page, content: library.rendered(page) }, searchFiles);
  sendPage(response, html, { allowsScripts: true });
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
  const groups = DOCS_GROUPS.map(({ label, pages }) =>
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
