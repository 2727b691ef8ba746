import { Router } from 'express';
import { listProducts } from '../../../domain/catalogue/products.js';
import { createCommunity } from '../../../domain/communities/communities.js';
import { communitySchema } from '../../../domain/communities/community.js';
import { listAdministered } from '../../../domain/communities/community-access.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import { parseForm } from '../../ui/form.js';
import { sendPage } from '../../ui/send-page.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { communityPath } from '../frame/seller-page.js';
import { SELLER_PATH } from '../frame/seller-request.js';
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
    const lists = await listsOf(needs, user.id);
    sendPage(response, sellerHomePage({ frame, ...lists, notice: noticeOf(request) }));
  });
}

function create(needs: HomeRoutesNeeds) {
  const { db, clock } = needs;
  return areaForm(needs, SELLER_PATH, async ({ user, frame, form, response }) => {
    const communityName = form.get('name') ?? '';
    const result = parseForm(communitySchema, { name: communityName });
    if (result.kind === 'invalid') {
      const lists = await listsOf(needs, user.id);
      const html = sellerHomePage({ frame, ...lists, communityName, errors: result.errors });
      return sendPage(response, html, { status: 400 });
    }
    const id = await createCommunity(db, { name: result.value.name, ownerId: user.id }, clock.now());
    redirectDone(response, communityPath(id), 'community-created');
  });
}

async function listsOf({ db }: HomeRoutesNeeds, userId: string) {
  return { communities: await listAdministered(db, userId), products: await listProducts(db, userId) };
}
