import { emailField } from '@latchkey/contract';
import { type RequestHandler, type Response, Router } from 'express';
import type { Services } from '../../app/services.js';
import { createSignInCode, signInReference } from '../../domain/sign-in/sign-in-codes.js';
import { signInMail } from '../../domain/sign-in/sign-in-mail.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { withoutMailboxes } from '../../platform/mail/mail-error.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { sendPage } from '../ui/frame/send-page.js';
import { readContinuePath, signInPath } from './continue-path.js';
import { enterCode, showCodeForm } from './enter-code.js';
import { knownBrowserLink, openKnownBrowserLink } from './known-browser.js';
import { secondStepRoutes } from './second-step-routes.js';
import { sendSignInPage } from './send-sign-in-page.js';
import { findCurrentAttempt, writeAttempt } from './sign-in-attempt.js';
import { signInContext } from './sign-in-context.js';
import { createFindVisitor, type FindVisitor } from './sign-in-visitor.js';
import { sendTooManyCodes } from './too-many-codes.js';
import { findSignedInUser } from './user-session.js';

/**
 * Routes of sign-in with an e-mailed code: `/sign-in`, `/sign-in/code`, `/sign-in/verify` and `/sign-in/browser`, and of its
 * second step: `/sign-in/second-step`.
 */
export function signInRoutes(needs: Services): Router {
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

function showSignIn(needs: Services): RequestHandler {
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    if (await findSignedInUser(needs, request)) return redirect(response, 303, continueTo);
    await sendSignInPage(needs, response, { continueTo });
  };
}

/** Handles a request for a code: mails the code, and redirects to the form for it. */
function requestCode(needs: Services, findVisitor: FindVisitor): RequestHandler {
  const { db, clock, baseUrl, mailer, mailService, logger, signInLimits: limits } = needs;
  return async (request, response) => {
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
      return sendTooManyCodes(response, { budget: attempt, now, ...facts });
    }
    const { attemptSecret, code, browserSecret } = attempt;
    const browserLink = browserSecret && knownBrowserLink(baseUrl, browserSecret);
    try {
      const reference = signInReference(attemptSecret);
      await mailer.send(signInMail({ to: email, code, reference, browserLink, app, now }, mailService));
    } catch (error) {
      const facts = { ...requestFacts(request, response), error: withoutMailboxes(error) };
      logger.error(facts, 'sign-in mail not sent');
      return sendMailFailed(response, { continueTo, accent: app?.accent });
    }
    writeAttempt(needs, response, attemptSecret);
    redirect(response, 303, `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`);
  };
}

function sendMailFailed(
  response: Response,
  { continueTo, accent }: { continueTo: string; accent: string | null | undefined },
): void {
  const html = messagePage({
    title: 'We could not send the code',
    accent,
    text: 'The e-mail was not sent. Please try again in a few minutes.',
    action: { href: signInPath(continueTo), label: 'Back to sign-in' },
  });
  sendPage(response, html, { status: 503 });
}
