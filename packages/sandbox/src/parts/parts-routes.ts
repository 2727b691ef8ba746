import { methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import { sendPage } from '@latchkey/server/ui';
import { Router } from 'express';
import { PARTS_PATH, partsPage } from './parts-page.js';

/** Page with every part of the pages in every state. Its switches are parameters of the address, so it needs no script. */
export function partsRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PARTS_PATH)
    .get((request, response) => {
      const query = requestQuery(request);
      const scheme = (['light', 'dark'] as const).find((value) => value === query.get('scheme'));
      const dir = (['ltr', 'rtl'] as const).find((value) => value === query.get('dir'));
      sendPage(response, partsPage({ scheme, dir, isLong: query.get('long') === '1' }));
    })
    .all(methodNotAllowed('GET'));
  return router;
}
