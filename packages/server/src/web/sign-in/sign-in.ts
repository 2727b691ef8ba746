import { emailField } from '@latchkey/contract';
import { type RequestHandler, type Response, Router } from 'express';
import {
  createSignInCode,
  enterSignInCode,
  findSignInEmail,
  SIGN_IN_CODE_LIFETIME_SECONDS,
  SIGN_IN_CODES_WINDOW_SECONDS,
} from '../../domain/sessions/sign-in-codes.js';
import { signInMail } from '../../domain/sessions/sign-in-mail.js';
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
import type { Mailer } from '../../platform/mail/mailer.js';
import { messagePage } from '../ui/message-page.js';
import { sameOriginGuard } from '../ui/same-origin-guard.js';
import { sendPage } from '../ui/send-page.js';
import { readContinuePath, signInPath } from './continue-path.js';
import type { SignInChoices } from './sign-in-choices.js';
import { signInCodePage } from './sign-in-code-page.js';
import { signInContext } from './sign-in-context.js';
import { signInPage } from './sign-in-page.js';
import { findSignedInUser, startUserSession } from './user-session.js';

interface SignInNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mailer: Mailer;
  readonly db: Database;
  readonly signInChoices: SignInChoices;
}

/** Binds a sign-in code to the browser that requested it. The code does not work in other browsers. */
const ATTEMPT_COOKIE: PageCookie = {
  name: 'latchkey_sign_in_attempt',
  lifetimeSeconds: SIGN_IN_CODE_LIFETIME_SECONDS,
};

/** Routes of sign-in with an e-mailed code: `/sign-in`, `/sign-in/code` and `/sign-in/verify`. */
export function signInRoutes(needs: SignInNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard = sameOriginGuard(needs);
  router.route('/sign-in').get(showSignIn(needs)).all(methodNotAllowed('GET'));
  router.route('/sign-in/code').post(guard, readForm, sendCode(needs)).all(methodNotAllowed('POST'));
  router
    .route('/sign-in/verify')
    .get(showCodeForm(needs))
    .post(guard, readForm, verifyCode(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function showSignIn(needs: SignInNeeds): RequestHandler {
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    if (await findSignedInUser(needs, request)) return redirect(response, 303, continueTo);
    await sendSignInPage(needs, response, { continueTo });
  };
}

function sendCode(needs: SignInNeeds): RequestHandler {
  const { db, clock, mailer, logger } = needs;
  const setAttempt = cookieWriter(needs, ATTEMPT_COOKIE);
  return async (request, response) => {
    const form = formOf(request);
    const continueTo = readContinuePath(form.get('continue'));
    const typed = form.get('email') ?? '';
    const email = emailField.safeParse(typed);
    if (!email.success) {
      const error = 'Enter an e-mail address such as name@example.com.';
      return await sendSignInPage(needs, response, { continueTo, email: typed, error });
    }
    const attempt = await createSignInCode(db, email.data, clock.now());
    if (attempt === undefined) return sendTooManyCodes(response, continueTo);
    try {
      await mailer.send(signInMail(email.data, attempt.code));
    } catch (error) {
      logger.error({ ...requestFacts(request, response), error }, 'sign-in mail not sent');
      return sendMailFailed(response, continueTo);
    }
    setAttempt(response, attempt.attemptSecret);
    redirect(response, 303, `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`);
  };
}

function showCodeForm(needs: SignInNeeds): RequestHandler {
  const { db, clock } = needs;
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    const attempt = readCookie(needs, request, ATTEMPT_COOKIE);
    const email = attempt && (await findSignInEmail(db, attempt, clock.now()));
    if (email === undefined) return redirect(response, 303, signInPath(continueTo));
    await sendCodePage(needs, response, { continueTo, email });
  };
}

function verifyCode(needs: SignInNeeds): RequestHandler {
  const { db, clock } = needs;
  const setAttempt = cookieWriter(needs, ATTEMPT_COOKIE);
  return async (request, response) => {
    const form = formOf(request);
    const continueTo = readContinuePath(form.get('continue'));
    // Users and mail programs add spaces and hyphens to codes.
    const code = (form.get('code') ?? '').replace(/[\s-]/g, '');
    const attempt = readCookie(needs, request, ATTEMPT_COOKIE);
    const outcome =
      attempt === undefined
        ? ({ kind: 'invalid' } as const)
        : await enterSignInCode(db, attempt, code, clock.now());

    if (outcome.kind === 'wrong' && outcome.triesLeft > 0) {
      const { email, triesLeft } = outcome;
      const error = 'This is not the code we sent.';
      return await sendCodePage(needs, response, { continueTo, email, error, triesLeft });
    }
    setAttempt(response, undefined);
    if (outcome.kind !== 'correct') {
      const error =
        outcome.kind === 'wrong'
          ? 'This is not the code we sent, and you have no tries left. Request a new code.'
          : 'This code has expired or was already used. Request a new code.';
      const email = outcome.kind === 'wrong' ? outcome.email : undefined;
      return await sendSignInPage(needs, response, { continueTo, email, error });
    }
    const user = await proveEmail(db, outcome.email, clock.now());
    await startUserSession(needs, { request, response }, user.id);
    redirect(response, 303, continueTo);
  };
}

interface SignInPageFacts {
  continueTo: string;
  email?: string | undefined;
  error?: string | undefined;
}

/** Sends the sign-in page, with the status 400 if there is an error. */
async function sendSignInPage(
  needs: SignInNeeds,
  response: Response,
  { continueTo, email, error }: SignInPageFacts,
): Promise<void> {
  const { people, inbox } = needs.signInChoices;
  const { client, formTargets } = await signInContext(needs, continueTo);
  const html = signInPage({
    client,
    continueTo,
    email,
    error,
    people: people && { ...people, list: await people.list(needs.db) },
    inbox: inbox && { name: inbox.name, href: inbox.href() },
  });
  sendPage(response, html, { status: error === undefined ? 200 : 400, formTargets });
}

/** Sends the page that asks for the code, with the status 400 if there is an error. */
async function sendCodePage(
  needs: SignInNeeds,
  response: Response,
  { continueTo, email, error, triesLeft }: SignInPageFacts & { email: string; triesLeft?: number },
): Promise<void> {
  const { client, formTargets } = await signInContext(needs, continueTo);
  const { inbox } = needs.signInChoices;
  const html = signInCodePage({
    client,
    email,
    continueTo,
    error,
    triesLeft,
    inbox: inbox && { name: inbox.name, href: inbox.href(email) },
  });
  sendPage(response, html, { status: error === undefined ? 200 : 400, formTargets });
}

function sendTooManyCodes(response: Response, continueTo: string): void {
  const minutes = SIGN_IN_CODES_WINDOW_SECONDS / 60;
  const html = messagePage({
    title: 'Too many codes for this address',
    text: `We sent several codes to this address just now. Use the newest one, or wait ${minutes} minutes and try again.`,
    action: { href: signInPath(continueTo), label: 'Back to sign-in' },
  });
  response.set('Retry-After', `${SIGN_IN_CODES_WINDOW_SECONDS}`);
  sendPage(response, html, { status: 429 });
}

function sendMailFailed(response: Response, continueTo: string): void {
  const html = messagePage({
    title: 'We could not send the code',
    text: 'The e-mail was not sent. Please try again in a few minutes.',
    action: { href: signInPath(continueTo), label: 'Back to sign-in' },
  });
  sendPage(response, html, { status: 503 });
}
