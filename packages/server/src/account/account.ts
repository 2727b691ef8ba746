import { type RequestHandler, Router } from 'express';
import type { Dependencies } from '../dependencies.js';
import { methodNotAllowed } from '../http/error-handler.js';
import { redirect, sendPage } from '../http/page-response.js';
import { formOf, readForm } from '../http/request-body.js';
import { requestQuery } from '../http/request-query.js';
import { sameOriginGuard } from '../http/same-origin-guard.js';
import { accountPage } from '../pages/index.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';

const ACCOUNT_PATH = '/account';
const REVOKED_NOTICE = 'Access was taken away. The app is signed out at once, and has to ask you again.';

/** A person's own page: what they have access to, and which apps have access to them. */
export function accountRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(ACCOUNT_PATH).get(showAccount(dependencies)).all(methodNotAllowed(dependencies, 'GET'));
  router
    .route('/account/apps/revoke')
    .post(sameOriginGuard(dependencies), readForm, revokeApp(dependencies))
    .all(methodNotAllowed(dependencies, 'POST'));
  return router;
}

function showAccount(dependencies: Dependencies): RequestHandler {
  const { stores, clock, sandbox } = dependencies;
  return async (request, response) => {
    const user = await findSignedInUser(dependencies, request);
    if (user === undefined) return redirect(response, 302, signInPath(ACCOUNT_PATH));
    const memberships = await stores.memberships.listActive(user.id, clock.now());
    const html = accountPage({
      user: { email: user.email, name: user.name ?? undefined },
      account: user.id,
      memberships: memberships.map((membership) => ({
        ...membership,
        name: membership.name ?? 'Membership',
      })),
      apps: await stores.consents.list(user.id),
      notice: requestQuery(request).has('revoked') ? REVOKED_NOTICE : undefined,
      sandbox: sandbox !== undefined,
    });
    sendPage(response, html);
  };
}

function revokeApp(dependencies: Dependencies): RequestHandler {
  const { stores, clock } = dependencies;
  return async (request, response) => {
    const user = await findSignedInUser(dependencies, request);
    if (user === undefined) return redirect(response, 303, signInPath(ACCOUNT_PATH));
    const form = formOf(request);
    // Somebody else has signed in since, in another tab: it was not their access that was to end.
    if (form.get('account') !== user.id) return redirect(response, 303, ACCOUNT_PATH);
    const clientId = form.get('clientId') ?? '';
    await stores.consents.revoke({ userId: user.id, clientId }, clock.now());
    redirect(response, 303, `${ACCOUNT_PATH}?revoked`);
  };
}
