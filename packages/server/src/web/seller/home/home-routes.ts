import { Router } from 'express';
import { listProducts } from '../../../domain/catalogue/products.js';
import { createCommunity } from '../../../domain/communities/communities.js';
import { communitySchema } from '../../../domain/communities/community.js';
import { listAdministered } from '../../../domain/communities/community-access.js';
import type { Clock } from '../../../platform/clock.js';
import { readPosition } from '../../../platform/database/keyset.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { parseForm } from '../../ui/parts/form.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { communityPath } from '../frame/seller-page.js';
import { readId, SELLER_PATH } from '../frame/seller-request.js';
import { sellerHomePage } from './seller-home-page.js';

interface HomeRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** Routes of the start page of the seller area, and of creating a community. */
export function homeRoutes(needs: HomeRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SELLER_PATH).get(showHome(needs)).all(methodNotAllowed('GET'));
  router.route('/seller/communities').post(create(needs)).all(methodNotAllowed('POST'));
  return router;
}

function showHome(needs: HomeRoutesNeeds) {
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const query = requestQuery(request);
    const lists = await listsOf(needs, user.id, {
      communities: query.get('communities'),
      products: query.get('products'),
    });
    sendPage(response, sellerHomePage({ frame, ...lists, notice: noticeOf(request) }));
  });
}

function create(needs: HomeRoutesNeeds) {
  const { db, clock } = needs;
  return areaForm(needs, SELLER_PATH, async ({ user, frame, form, response }) => {
    const communityName = form.get('name') ?? '';
    const result = parseForm(communitySchema, { name: communityName });
    const refuse = async (errors: FormError[]) => {
      const lists = await listsOf(needs, user.id);
      const html = sellerHomePage({ frame, ...lists, communityName, errors });
      sendPage(response, html, { status: 400 });
    };
    if (result.kind === 'invalid') return await refuse(result.errors);
    const created = await createCommunity(db, { name: result.value.name, ownerId: user.id }, clock.now());
    if (created.kind === 'too-many') {
      const message = `You own ${created.max} communities, which is the maximum. Ask the operator of this service for more.`;
      return await refuse([{ field: 'name', message }]);
    }
    redirectDone(response, communityPath(created.id), 'community-created');
  });
}

/** Reads one page of each list. The starts of the pages come from the address. */
async function listsOf(
  { db }: HomeRoutesNeeds,
  userId: string,
  starts: { communities: string | null; products: string | null } = { communities: null, products: null },
) {
  const afterCommunity = readId(starts.communities ?? undefined) || undefined;
  const afterProduct = readPosition(starts.products);
  return {
    communities: await listAdministered(db, userId, afterCommunity),
    products: await listProducts(db, userId, afterProduct),
    isFirst: { communities: afterCommunity === undefined, products: afterProduct === undefined },
  };
}
