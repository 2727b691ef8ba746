import { Router } from 'express';
import { listOwnMemberships } from '../../domain/memberships/own-memberships.js';
import { listConsents, revokeConsent } from '../../domain/oauth/consents.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { sendPage } from '../ui/send-page.js';
import { accountNotice } from './account-notices.js';
import { accountPage } from './account-page.js';
import { membershipRoutes } from './membership-routes.js';
import { profileRoutes } from './profile-routes.js';
import { sessionRoutes } from './session-routes.js';

interface AccountRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

const ACCOUNT_PATH = '/account';

/** Routes of the account area: memberships, allowed apps, profile and sessions. */
export function accountRoutes(needs: AccountRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(ACCOUNT_PATH).get(showAccount(needs)).all(methodNotAllowed('GET'));
  router.route('/account/apps/revoke').post(revokeApp(needs)).all(methodNotAllowed('POST'));
  router.use(membershipRoutes(needs));
  router.use(profileRoutes(needs));
  router.use(sessionRoutes(needs));
  return router;
}

function showAccount(needs: AccountRoutesNeeds) {
  const { db, clock } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const own = await listOwnMemberships(db, user.id, clock.now());
    const html = accountPage({
      frame,
      memberships: own.active,
      upcoming: own.upcoming,
      expired: own.expired,
      apps: await listConsents(db, user.id),
      notice: accountNotice(request),
    });
    sendPage(response, html);
  });
}

function revokeApp(needs: AccountRoutesNeeds) {
  const { db, clock } = needs;
  return areaForm(needs, ACCOUNT_PATH, async ({ user, form, response }) => {
    const clientId = form.get('clientId') ?? '';
    await revokeConsent(db, { userId: user.id, clientId }, clock.now());
    redirect(response, 303, `${ACCOUNT_PATH}?done=revoked`);
  });
}
