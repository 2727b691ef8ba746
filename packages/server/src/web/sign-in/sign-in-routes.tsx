import { emailField } from '@latchkey/contract';
import { Router } from 'express';
import type { Services } from '../../app/services.js';
import { createSignInCode, signInReference } from '../../domain/sign-in/sign-in-codes.js';
import { signInMail } from '../../domain/sign-in/sign-in-mail.js';
import { methodNotAllowed } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm, requestQuery } from '../../platform/http/request-input.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { withoutMailboxes } from '../../platform/mail/mailer.js';
import { renderDocument } from '../ui/frame/document.js';
import { sendMessage } from '../ui/frame/message-page.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { type Page, sendPage } from '../ui/frame/send-page.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { readContinuePath, signInPath } from './continue-path.js';
import { codeRoutes, findCurrentAttempt, writeAttempt } from './enter-code.js';
import { createFindVisitor, knownBrowserLink, openKnownBrowserLink } from './known-browser.js';
import { secondStepRoutes } from './second-step-routes.js';
import { sendSignInPage } from './send-sign-in-page.js';
import { signInContext } from './sign-in-card.js';
import { sendTooManyCodes } from './too-many-codes.js';
import { endUserSession, findSignedInUser } from './user-session.js';

/**
 * Routes of sign-in with an e-mailed code: `/sign-in`, `/sign-in/code`, `/sign-in/verify` and `/sign-in/browser`, of its second
 * step, `/sign-in/second-step`, and of sign-out from the service. Clients keep their tokens after a sign-out, until the user
 * revokes them on the account page.
 */
export function signInRoutes(needs: Services): Router {
  const { db, clock, baseUrl, mailer, mailService, logger, signInLimits: limits } = needs;
  const router = Router({ caseSensitive: true, strict: true });
  const guard = sameOriginGuard(needs);
  const findVisitor = createFindVisitor(needs);
  router
    .route('/sign-in')
    .get(async (request, response) => {
      const continueTo = readContinuePath(requestQuery(request).get('continue'));
      if (await findSignedInUser(needs, request)) return redirect(response, 303, continueTo);
      await sendSignInPage(needs, response, { continueTo });
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/sign-in/code')
    // Mails the code, and redirects to the form for it.
    .post(guard, readForm, async (request, response) => {
      const form = formOf(request);
      const continueTo = readContinuePath(form.get('continue'));
      const typed = form.get('email') ?? '';
      const parsed = emailField.safeParse(typed);
      if (!parsed.success) {
        const error = 'Enter an e-mail address such as name@example.com.';
        return await sendSignInPage(needs, response, { continueTo, email: typed, error });
      }
      const email = parsed.data;
      const visitor = await findVisitor(request, email);
      const { app } = await signInContext(needs, continueTo);
      const now = clock.now();
      const attempt = await createSignInCode(db, { email, visitor, limits }, now);
      if (attempt.kind === 'exhausted') {
        const hasCode = (await findCurrentAttempt(needs, request))?.email === email;
        const facts = { counted: 'codes', continueTo, hasCode, accent: app?.accent } as const;
        return sendTooManyCodes(response, { exhausted: attempt, now, ...facts });
      }
      const { attemptSecret, code, browserSecret } = attempt;
      const browserLink = browserSecret && knownBrowserLink(baseUrl, browserSecret);
      try {
        const reference = signInReference(attemptSecret);
        await mailer.send(signInMail({ to: email, code, reference, browserLink, app, now }, mailService));
      } catch (error) {
        const facts = { ...requestFacts(request, response), error: withoutMailboxes(error) };
        logger.error(facts, 'sign-in mail not sent');
        return sendMessage(response, 503, {
          title: 'We could not send the code',
          accent: app?.accent,
          text: 'The e-mail was not sent. Please try again in a few minutes.',
          action: { href: signInPath(continueTo), label: 'Back to sign-in' },
        });
      }
      writeAttempt(needs, response, attemptSecret);
      redirect(response, 303, `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`);
    })
    .all(methodNotAllowed('POST'));
  router.use(codeRoutes(needs, findVisitor));
  router.use(secondStepRoutes(needs));
  router.route('/sign-in/browser').get(openKnownBrowserLink(needs)).all(methodNotAllowed('GET'));
  router
    .route('/sign-out')
    .post(guard, readForm, async (request, response) => {
      const continueTo = formOf(request).get('continue');
      await endUserSession(needs, { request, response });
      redirect(response, 303, continueTo === null ? '/signed-out' : readContinuePath(continueTo));
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/signed-out')
    .get((_request, response) => sendPage(response, signedOutPage()))
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
