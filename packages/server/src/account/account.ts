import { Router } from 'express';
import type { Dependencies } from '../dependencies.js';
import { methodNotAllowed } from '../http/error-handler.js';
import { redirect, sendPage } from '../http/page-response.js';
import { requestQuery } from '../http/request-query.js';
import { accountPage } from '../pages/index.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';

const ACCOUNT_PATH = '/account';
const REVOKED_NOTICE = 'Access was taken away. The app is signed out at once, and has to ask you again.';

/** A person's own page: what they have access to, and which apps have access to them. */
export function accountRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(ACCOUNT_PATH).get(showAccount(dependencies)).all(methodNotAllowed(dependencies, 'GET'));
  router
    .route('/account/apps/revoke')
    .post(revokeApp(dependencies))
    .all(methodNotAllowed(dependencies, 'POST'));
  return router;
}

function showAccount(dependencies: Dependencies) {
  const { stores, clock } = dependencies;
  return areaPage(dependencies, async ({ user, frame, request, response }) => {
    const memberships = await stores.memberships.listActive(user.id, clock.now());
    const html = accountPage({
      frame,
      memberships: memberships.map((membership) => ({
        ...membership,
        name: membership.name ?? 'Membership',
      })),
      apps: await stores.consents.list(user.id),
      notice: requestQuery(request).has('revoked') ? REVOKED_NOTICE : undefined,
    });
    sendPage(response, html);
  });
}

function revokeApp(dependencies: Dependencies) {
  const { stores, clock } = dependencies;
  return areaForm(dependencies, ACCOUNT_PATH, async ({ user, form, response }) => {
    const clientId = form.get('clientId') ?? '';
    await stores.consents.revoke({ userId: user.id, clientId }, clock.now());
    redirect(response, 303, `${ACCOUNT_PATH}?revoked`);
  });
}
