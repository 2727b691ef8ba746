import { Router } from 'express';
import { listProducts } from '../../../domain/catalogue/products.js';
import { readCommunityFigures } from '../../../domain/checkout/community-figures.js';
import { listAdministered } from '../../../domain/communities/community-access.js';
import type { Clock } from '../../../platform/clock.js';
import { readPosition } from '../../../platform/database/keyset.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { areaPage } from '../../sign-in/area-route.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { noticeOf } from '../frame/seller-notices.js';
import { SELLER_PATH } from '../frame/seller-paths.js';
import { readId } from '../frame/seller-request.js';
import { type CommunityAtAGlance, sellerHomePage } from './seller-home-page.js';

interface HomeRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** Route of the start page of the seller area. */
export function homeRoutes(needs: HomeRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SELLER_PATH).get(showHome(needs)).all(methodNotAllowed('GET'));
  return router;
}

function showHome(needs: HomeRoutesNeeds) {
  const { db, clock } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const query = requestQuery(request);
    const afterCommunity = readId(query.get('communities') ?? undefined) || undefined;
    const afterProduct = readPosition(query.get('products'));
    const now = clock.now();
    const communities = await listAdministered(db, user.id, afterCommunity);
    const rows: CommunityAtAGlance[] = [];
    for (const community of communities.rows) {
      rows.push({ ...community, figures: await readCommunityFigures(db, community.id, now) });
    }
    const html = sellerHomePage({
      frame,
      communities: { ...communities, rows },
      products: await listProducts(db, user.id, afterProduct),
      isFirst: { communities: afterCommunity === undefined, products: afterProduct === undefined },
      now,
      notice: noticeOf(request),
    });
    sendPage(response, html);
  });
}
