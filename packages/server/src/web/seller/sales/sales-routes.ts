import { Router } from 'express';
import { listSales } from '../../../domain/checkout/sales.js';
import type { Clock } from '../../../platform/clock.js';
import { readPosition } from '../../../platform/database/keyset.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { communityPage } from '../frame/seller-request.js';
import { sellerSalesPage } from './seller-sales-page.js';

interface SalesRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** Routes of the payments in a community. */
export function salesRoutes(needs: SalesRoutesNeeds): Router {
  const { db } = needs;
  const showSales = communityPage(needs, async ({ frame, community, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const sales = await listSales(db, { communityId: community.id }, after);
    sendPage(response, sellerSalesPage({ frame, community, sales, isFirst: after === undefined }));
  });
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/seller/communities/:communityId/sales').get(showSales).all(methodNotAllowed('GET'));
  return router;
}
