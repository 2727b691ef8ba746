import { emailField } from '@latchkey/contract';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { MailService } from '../../domain/mail/mail-frame.js';
import {
  createSignInCode,
  enterSignInCode,
  findSignInEmail,
  SIGN_IN_CODE_LIFETIME_SECONDS,
  type SignInCodeResult,
  signInReference,
} from '../../domain/sessions/sign-in-codes.js';
import type { SignInLimits } from '../../domain/sessions/sign-in-limits.js';
import { signInMail } from '../../domain/sessions/sign-in-mail.js';
import { finishFirstStep } from '../../domain/two-step/second-step.js';
import { proveEmail } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { requestQuery } from '../../platform/http/request-query.js';
import type { Logger } from '../../platform/logging/logger.js';
import { withoutMailboxes } from '../../platform/mail/mail-error.js';
import type { Mailer } from '../../platform/mail/mailer.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Site } from '../ui/frame/site.js';
import { readContinuePath, signInPath } from './continue-path.js';
import { knownBrowserLink, openKnownBrowserLink, rememberThisBrowser } from './known-browser.js';
import { secondStepPath, secondStepRoutes, writeSecondStep } from './second-step-routes.js';
import { type SignInPageFacts, sendSignInPage } from './send-sign-in-page.js';
import type { SignInChoices } from './sign-in-choices.js';
import { signInCodePage } from './sign-in-code-page.js';
import { signInContext } from './sign-in-context.js';
import { logSignIn } from './sign-in-log.js';
import { createFindVisitor, type FindVisitor } from './sign-in-visitor.js';
import { sendTooManyCodes } from './too-many-codes.js';
import { findSignedInUser, sessionStartOf, writeUserSession } from './user-session.js';

interface SignInNeeds {
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

/** Binds a sign-in code to the browser that requested it. The code does not work in other browsers. */
const ATTEMPT_COOKIE: PageCookie = {
  name: 'latchkey_sign_in_attempt',
  lifetimeSeconds: SIGN_IN_CODE_LIFETIME_SECONDS,
};

/**
 * Routes of sign-in with an e-mailed code: `/sign-in`, `/sign-in/code`, `/sign-in/verify` and `/sign-in/browser`, and of its
 * second step: `/sign-in/second-step`.
 */
export function signInRoutes(needs: SignInNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard = sameOriginGuard(needs);
  const findVisitor = createFindVisitor(needs);
  router.route('/sign-in').get(showSignIn(needs)).all(methodNotAllowed('GET'));
  router
    .route('/sign-in/code')
    .post(guard, readForm, sendCode(needs, findVisitor))
    .all(methodNotAllowed('POST'));
  router
    .route('/sign-in/verify')
    .get(showCodeForm(needs))
    .post(guard, readForm, verifyCode(needs, findVisitor))
    .all(methodNotAllowed('GET, POST'));
  router.use(secondStepRoutes(needs));
  router.route('/sign-in/browser').get(openKnownBrowserLink(needs)).all(methodNotAllowed('GET'));
  return router;
}

function showSignIn(needs: SignInNeeds): RequestHandler {
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    if (await findSignedInUser(needs, request)) return redirect(response, 303, continueTo);
    await sendSignInPage(needs, response, { continueTo });
  };
}

function sendCode(needs: SignInNeeds, findVisitor: FindVisitor): RequestHandler {
  const { db, clock, baseUrl, mailer, mailService, logger, signInLimits: limits } = needs;
  const setAttempt = cookieWriter(needs, ATTEMPT_COOKIE);
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
      const hasCode = (await currentAttempt(needs, request))?.email === email;
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
    setAttempt(response, attemptSecret);
    redirect(response, 303, `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`);
  };
}

/** Returns the browser's newest request for a code, if the code is still valid. */
async function currentAttempt(
  needs: SignInNeeds,
  request: Request,
): Promise<{ attemptSecret: string; email: string } | undefined> {
  const attemptSecret = readCookie(needs, request, ATTEMPT_COOKIE);
  if (attemptSecret === undefined) return undefined;
  const email = await findSignInEmail(needs.db, attemptSecret, needs.clock.now());
  return email === undefined ? undefined : { attemptSecret, email };
}

function showCodeForm(needs: SignInNeeds): RequestHandler {
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    const attempt = await currentAttempt(needs, request);
    if (attempt === undefined) return redirect(response, 303, signInPath(continueTo));
    await sendCodePage(needs, response, { continueTo, ...attempt });
  };
}

function verifyCode(needs: SignInNeeds, findVisitor: FindVisitor): RequestHandler {
  const { db, clock, signInLimits: limits } = needs;
  const setAttempt = cookieWriter(needs, ATTEMPT_COOKIE);
  return async (request, response) => {
    const form = formOf(request);
    const continueTo = readContinuePath(form.get('continue'));
    // Users and mail programs add spaces and hyphens to codes.
    const code = (form.get('code') ?? '').replace(/[\s-]/g, '');
    const attempt = await currentAttempt(needs, request);
    const now = clock.now();
    let result: SignInCodeResult = { kind: 'invalid' };
    if (attempt !== undefined) {
      const visitor = await findVisitor(request, attempt.email);
      result = await enterSignInCode(db, { ...attempt, code, visitor, limits }, now);
    }
    if (result.kind !== 'correct') logSignIn(needs, { request, response }, result);
    if (attempt !== undefined) {
      if (result.kind === 'wrong' && result.triesLeft > 0) {
        const { triesLeft } = result;
        const error = 'This is not the code we sent.';
        return await sendCodePage(needs, response, { continueTo, ...attempt, error, triesLeft });
      }
    }
    if (result.kind === 'exhausted') {
      const { app } = await signInContext(needs, continueTo);
      const facts = { counted: 'wrong codes', continueTo, hasCode: false, accent: app?.accent } as const;
      return sendTooManyCodes(response, { budget: result, now, ...facts });
    }
    setAttempt(response, undefined);
    if (result.kind !== 'correct') {
      const error =
        result.kind === 'wrong'
          ? 'This is not the code we sent, and you have no tries left. Request a new code.'
          : 'This code has expired or was already used. Request a new code.';
      const email = result.kind === 'wrong' ? result.email : undefined;
      return await sendSignInPage(needs, response, { continueTo, email, error });
    }
    const user = await proveEmail(db, result.email, now);
    await rememberThisBrowser(needs, { request, response }, result.email);
    const finished = await finishFirstStep(db, { userId: user.id, ...sessionStartOf(needs, request) }, now);
    if (finished.kind === 'second-step') {
      writeSecondStep(needs, response, finished.attemptSecret);
      logSignIn(needs, { request, response }, { kind: 'second-step', userId: user.id });
      return redirect(response, 303, secondStepPath(continueTo));
    }
    writeUserSession(needs, response, finished.sessionId);
    logSignIn(needs, { request, response }, { kind: 'correct', userId: user.id });
    redirect(response, 303, continueTo);
  };
}

interface CodePageFacts extends SignInPageFacts {
  email: string;
  attemptSecret: string;
  triesLeft?: number;
}

/** Sends the page that asks for the code, with the status 400 if there is an error. */
async function sendCodePage(
  needs: SignInNeeds,
  response: Response,
  { continueTo, email, attemptSecret, error, triesLeft }: CodePageFacts,
): Promise<void> {
  const { client, formTargets } = await signInContext(needs, continueTo);
  const { inbox } = needs.signInChoices;
  const html = signInCodePage({
    client,
    service: needs.site.brand,
    email,
    reference: signInReference(attemptSecret),
    continueTo,
    error,
    triesLeft,
    inbox: inbox && { name: inbox.name, href: inbox.href(email) },
  });
  sendPage(response, html, { status: error === undefined ? 200 : 400, formTargets });
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
