import { type RequestHandler, Router } from 'express';
import type { MailService } from '../../domain/mail/mail-frame.js';
import type { SignInLimits } from '../../domain/sign-in/sign-in-limits.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { readForm } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Mailer } from '../../platform/mail/mailer.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import type { Site } from '../ui/frame/site.js';
import { readContinuePath } from './continue-path.js';
import { enterCode, showCodeForm } from './enter-code.js';
import { openKnownBrowserLink } from './known-browser.js';
import { requestCode } from './request-code.js';
import { secondStepRoutes } from './second-step-routes.js';
import { sendSignInPage } from './send-sign-in-page.js';
import type { SignInChoices } from './sign-in-choices.js';
import { createFindVisitor } from './sign-in-visitor.js';
import { findSignedInUser } from './user-session.js';

interface SignInRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mailer: Mailer;
  readonly mailService: MailService;
  readonly db: Database;
  readonly signInChoices: SignInChoices;
  readonly site: Site;
  readonly signInLimits: SignInLimits;
  readonly trustProxy: false | number | string;
}

/**
 * Routes of sign-in with an e-mailed code: `/sign-in`, `/sign-in/code`, `/sign-in/verify` and `/sign-in/browser`, and of its
 * second step: `/sign-in/second-step`.
 */
export function signInRoutes(needs: SignInRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard = sameOriginGuard(needs);
  const findVisitor = createFindVisitor(needs);
  router.route('/sign-in').get(showSignIn(needs)).all(methodNotAllowed('GET'));
  router
    .route('/sign-in/code')
    .post(guard, readForm, requestCode(needs, findVisitor))
    .all(methodNotAllowed('POST'));
  router
    .route('/sign-in/verify')
    .get(showCodeForm(needs))
    .post(guard, readForm, enterCode(needs, findVisitor))
    .all(methodNotAllowed('GET, POST'));
  router.use(secondStepRoutes(needs));
  router.route('/sign-in/browser').get(openKnownBrowserLink(needs)).all(methodNotAllowed('GET'));
  return router;
}

function showSignIn(needs: SignInRoutesNeeds): RequestHandler {
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    if (await findSignedInUser(needs, request)) return redirect(response, 303, continueTo);
    await sendSignInPage(needs, response, { continueTo });
  };
}
