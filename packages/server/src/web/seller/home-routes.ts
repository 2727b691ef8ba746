import { Router } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { listProducts } from '../../domain/catalogue/products.js';
import { createCommunity } from '../../domain/communities/administer-community.js';
import { listAdministered } from '../../domain/communities/community-access.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { sendPage } from '../../web/ui/send-page.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { FaultList } from '../ui/form-reading.js';
import { noticeOf, redirectDone } from './notices.js';
import { sellerHomePage } from './seller-home-page.js';
import { communityPath } from './seller-page.js';
import { SELLER_PATH } from './seller-request.js';

/** The start of the seller area: communities, products, and a community to create. */
export function homeRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SELLER_PATH).get(showHome(dependencies)).all(methodNotAllowed('GET'));
  router.route('/seller/communities').post(create(dependencies)).all(methodNotAllowed('POST'));
  return router;
}

function showHome(dependencies: Dependencies) {
  return areaPage(dependencies, async ({ user, frame, request, response }) => {
    const lists = await listsOf(dependencies, user.id);
    sendPage(response, sellerHomePage({ frame, ...lists, notice: noticeOf(request) }));
  });
}

function create(dependencies: Dependencies) {
  const { db, clock } = dependencies;
  return areaForm(dependencies, SELLER_PATH, async ({ user, frame, form, response }) => {
    const communityName = form.get('name') ?? '';
    const list = new FaultList();
    const name = list.takeName(communityName);
    if (list.faults.length > 0) {
      const lists = await listsOf(dependencies, user.id);
      const html = sellerHomePage({ frame, ...lists, communityName, faults: list.faults });
      return sendPage(response, html, { status: 400 });
    }
    const id = await createCommunity(db, { name, ownerId: user.id }, clock.now());
    redirectDone(response, communityPath(id), 'community-created');
  });
}

async function listsOf({ db }: Dependencies, userId: string) {
  return { communities: await listAdministered(db, userId), products: await listProducts(db, userId) };
}
