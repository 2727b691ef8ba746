import { Router } from 'express';
import type { Dependencies } from '../dependencies.js';
import { methodNotAllowed } from '../http/error-handler.js';
import { sendPage } from '../http/page-response.js';
import { requestQuery } from '../http/request-query.js';
import { sellerSalesPage } from '../pages/index.js';
import { readPosition } from './keyset.js';
import { listSales } from './sales.js';
import { communityPage } from './seller-request.js';

/** What was paid in a community. */
export function salesRoutes(dependencies: Dependencies): Router {
  const { db } = dependencies;
  const showSales = communityPage(dependencies, async ({ frame, community, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const sales = await listSales(db, { communityId: community.id }, after);
    sendPage(response, sellerSalesPage({ frame, community, sales, isFirst: after === undefined }));
  });
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/sales')
    .get(showSales)
    .all(methodNotAllowed(dependencies, 'GET'));
  return router;
}
