import { withServiceNames } from '@latchkey/contract/constants';
import type { RouteContext } from '@latchkey/server';
import { methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import { sendPage } from '@latchkey/server/ui';
import { Router } from 'express';
import { createDocsLibrary } from '../docs/docs-library.js';
import { DOCS_PAGES } from '../docs/docs-pages.js';
import { renderMarkdown } from '../docs/render-markdown.js';
import { PARITY_PATH, parityPage } from './parity-page.js';
import { parityTables } from './parity-tables.js';

/** Page with the parity list, made from the decisions of the server. */
export function parityRoutes({ serviceNames }: Pick<RouteContext, 'serviceNames'>): Router {
  const library = createDocsLibrary();
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PARITY_PATH)
    .get((request, response) => {
      const page = DOCS_PAGES.find(({ slug }) => slug === 'decisions');
      if (page === undefined) throw new Error('The documentation has no page of the decisions.');
      const text = requestQuery(request).get('text')?.trim().slice(0, 200) ?? '';
      const tables = parityTables(withServiceNames(library.markdown(page), serviceNames), text);
      const [sandbox, open] = [tables.sandbox, tables.open].map((part) => renderMarkdown(part, page.file));
      if (sandbox === undefined || open === undefined) throw new Error('The list has two parts.');
      sendPage(response, parityPage({ sandbox, open, rows: tables.rows, text }), { allowsScripts: true });
    })
    .all(methodNotAllowed('GET'));
  return router;
}
