import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import { renderDocument } from '../ui/frame/document.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { readContinuePath } from './continue-path.js';
import { endUserSession } from './user-session.js';

/** Routes of sign-out from the service. Clients keep their tokens until the user revokes them on the account page. */
export function signOutRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/sign-out')
    .post(sameOriginGuard(needs), readForm, async (request, response) => {
      const continueTo = formOf(request).get('continue');
      await endUserSession(needs, { request, response });
      redirect(response, 303, continueTo === null ? '/signed-out' : readContinuePath(continueTo));
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/signed-out')
    .get((_request, response) => {
      sendPage(response, signedOutPage());
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** Renders the page after sign-out. */
export function signedOutPage(): Page {
  return renderDocument({
    title: 'Signed out',
    layout: 'card',
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>You are signed out</h1>
        <p class="lead">Sites that you signed in to keep their own sessions until you sign out there.</p>
        <a class="button primary" href="/sign-in">
          Sign in again
        </a>
      </main>
    ),
  });
}
