import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { deleteOwnAccount } from '../../domain/account-deletion/delete-account.js';
import { findObstacles } from '../../domain/account-deletion/deletion-obstacles.js';
import { isRecentSignIn } from '../../domain/sessions/sessions.js';
import { readTwoStepState } from '../../domain/two-step/second-factor.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { type AreaRequest, areaForm, areaPage } from '../sign-in/area-route.js';
import { readProvenSecret } from '../sign-in/second-step-routes.js';
import { sendTooManySecondFactors } from '../sign-in/too-many-codes.js';
import { endUserSession, findCurrentSession, placeOf } from '../sign-in/user-session.js';
import { renderDocument } from '../ui/frame/document.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import type { FormError } from '../ui/parts/error-summary.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { DELETE_ACCOUNT_PATH } from './account-sections.js';
import { deleteAccountPage } from './delete-account-page.js';
import { logAccountChange } from './log-account-change.js';
import { rejectedCode } from './second-factor-field.js';

type Params = Record<string, string>;

/** Routes of the deletion of the user's own account. */
export function deleteAccountRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(DELETE_ACCOUNT_PATH)
    .get(areaPage(needs, (area) => sendQuestion(needs, area, { email: '' })))
    .post(deleteAccount(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

/** Sends the page with the form, with the status 400 if there are errors. */
async function sendQuestion(
  needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>,
  { user, frame, request, response }: AreaRequest<Params>,
  { email, errors }: { email: string; errors?: readonly FormError[] },
): Promise<void> {
  const { db, clock } = needs;
  const { onSince } = await readTwoStepState(db, user.id);
  const session = await findCurrentSession(needs, request, user.id);
  const isRecent = session !== undefined && isRecentSignIn(session.signedInAt, clock.now());
  const html = deleteAccountPage({
    frame,
    obstacles: await findObstacles(db, user.id),
    proof: onSince !== null ? 'code' : isRecent ? 'none' : 'sign-in',
    email,
    errors,
  });
  sendPage(response, html, { status: errors === undefined ? 200 : 400 });
}

function deleteAccount(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>) {
  const { db, clock } = needs;
  return areaForm(needs, DELETE_ACCOUNT_PATH, async (area) => {
    const { user, form, request, response } = area;
    const email = form.get('email') ?? '';
    if (user.email === null || email.trim().toLowerCase() !== user.email) {
      const errors = [{ field: 'email', message: 'Enter the e-mail address of your account.' }];
      return await sendQuestion(needs, area, { email, errors });
    }
    const session = await findCurrentSession(needs, request, user.id);
    if (session === undefined) return redirect(response, 303, DELETE_ACCOUNT_PATH);
    const entered = {
      ...{ userId: user.id, sessionId: session.sessionId, code: form.get('code') ?? '' },
      ...{ provenSecret: readProvenSecret(needs, request, user.id), ...placeOf(request) },
    };
    const result = await deleteOwnAccount(db, entered, clock.now());
    switch (result.kind) {
      case 'deleted':
        logAccountChange(needs, area, 'An account was deleted by its user');
        await endUserSession(needs, area);
        return sendPage(response, accountDeletedPage());
      case 'exhausted': {
        logAccountChange(needs, area, 'A second factor was rejected', { reason: result.kind });
        const action = { href: DELETE_ACCOUNT_PATH, label: 'Use a recovery code' };
        const { availableAt } = result;
        return sendTooManySecondFactors(response, { availableAt, now: clock.now(), action });
      }
      case 'used':
      case 'wrong':
        logAccountChange(needs, area, 'A second factor was rejected', { reason: result.kind });
        return await sendQuestion(needs, area, { email, errors: rejectedCode(result.kind) });
      default:
        // The page explains what is missing.
        return redirect(response, 303, DELETE_ACCOUNT_PATH);
    }
  });
}

/** Renders the page after the deletion of the account. The visitor is signed out. */
export function accountDeletedPage(): Page {
  return renderDocument({
    title: 'Account deleted',
    layout: 'card',
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>Your account is deleted</h1>
        <p class="lead">
          You are signed out everywhere, and your memberships have ended. We send a last e-mail to your
          address to confirm it.
        </p>
      </main>
    ),
  });
}
