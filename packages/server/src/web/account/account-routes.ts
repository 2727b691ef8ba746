import { Router } from 'express';
import { revokeConsent } from '../../domain/oauth/consents.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { requestQuery } from '../../platform/http/request-query.js';
import type { Logger } from '../../platform/logging/logger.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import type { SignInChoices } from '../sign-in/sign-in-choices.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Site } from '../ui/frame/site.js';
import { accountNotice } from './account-notices.js';
import { accountPage } from './account-page.js';
import { accountProps } from './account-props.js';
import { deleteAccountRoutes } from './delete-account-routes.js';
import { invitationRoutes } from './invitation-routes.js';
import { membershipRoutes } from './membership-routes.js';
import { profileRoutes } from './profile-routes.js';
import { roleRoutes } from './role-routes.js';
import { sessionRoutes } from './session-routes.js';
import { twoStepRoutes } from './two-step-routes.js';

interface AccountRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
  readonly logger: Logger;
  readonly signInChoices: SignInChoices;
  readonly site: Site;
}

const ACCOUNT_PATH = '/account';

/** Routes of the account area: memberships, allowed apps, profile, sessions, two-step sign-in and deletion. */
export function accountRoutes(needs: AccountRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(ACCOUNT_PATH).get(showAccount(needs)).all(methodNotAllowed('GET'));
  router.route('/account/apps/revoke').post(revokeApp(needs)).all(methodNotAllowed('POST'));
  router.use(invitationRoutes(needs));
  router.use(membershipRoutes(needs));
  router.use(roleRoutes(needs));
  router.use(profileRoutes(needs));
  router.use(sessionRoutes(needs));
  router.use(twoStepRoutes(needs));
  router.use(deleteAccountRoutes(needs));
  return router;
}

function showAccount(needs: AccountRoutesNeeds) {
  const { db, clock } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const props = await accountProps({ db, clock }, user, requestQuery(request));
    sendPage(response, accountPage({ frame, ...props, notice: accountNotice(request) }));
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
