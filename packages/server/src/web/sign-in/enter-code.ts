import type { Request, RequestHandler, Response } from 'express';
import {
  enterSignInCode,
  type SignInCodeResult,
  signInReference,
} from '../../domain/sign-in/sign-in-codes.js';
import type { SignInLimits } from '../../domain/sign-in/sign-in-limits.js';
import { finishFirstStep } from '../../domain/two-step/second-step.js';
import { proveEmail } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import type { Logger } from '../../platform/logging/logger.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Site } from '../ui/frame/site.js';
import { readContinuePath, signInPath } from './continue-path.js';
import { rememberThisBrowser } from './known-browser.js';
import { secondStepPath, writeSecondStep } from './second-step-routes.js';
import { sendSignInPage } from './send-sign-in-page.js';
import { type CurrentAttempt, findCurrentAttempt, writeAttempt } from './sign-in-attempt.js';
import type { SignInChoices } from './sign-in-choices.js';
import { signInCodePage } from './sign-in-code-page.js';
import { signInContext } from './sign-in-context.js';
import { logSignIn } from './sign-in-log.js';
import type { FindVisitor } from './sign-in-visitor.js';
import { sendTooManyCodes } from './too-many-codes.js';
import { sessionStartOf, writeUserSession } from './user-session.js';

interface EnterCodeNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
  readonly logger: Logger;
  readonly signInChoices: SignInChoices;
  readonly signInLimits: SignInLimits;
  readonly site: Site;
}

/** Shows the form for the code, if the browser has requested one. */
export function showCodeForm(needs: EnterCodeNeeds): RequestHandler {
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    const attempt = await findCurrentAttempt(needs, request);
    if (attempt === undefined) return redirect(response, 303, signInPath(continueTo));
    await sendCodePage(needs, response, { continueTo, ...attempt });
  };
}

/** Handles an entered code. A correct one finishes the first step of the sign-in. */
export function enterCode(needs: EnterCodeNeeds, findVisitor: FindVisitor): RequestHandler {
  const { db, clock, signInLimits: limits } = needs;
  return async (request, response) => {
    const form = formOf(request);
    const continueTo = readContinuePath(form.get('continue'));
    // Users and mail programs add spaces and hyphens to codes.
    const code = (form.get('code') ?? '').replace(/[\s-]/g, '');
    const attempt = await findCurrentAttempt(needs, request);
    const now = clock.now();
    let result: SignInCodeResult = { kind: 'invalid' };
    if (attempt !== undefined) {
      const visitor = await findVisitor(request, attempt.email);
      result = await enterSignInCode(db, { ...attempt, code, visitor, limits }, now);
    }
    if (result.kind === 'correct') {
      const { email } = result;
      return await finishSignIn(needs, { request, response }, { email, continueTo, now });
    }
    logSignIn(needs, { request, response }, result);
    await sendRejection(needs, response, { result, attempt, continueTo, now });
  };
}

/** Signs the user of a proven address in, or begins the second step. */
async function finishSignIn(
  needs: EnterCodeNeeds,
  { request, response }: { request: Request; response: Response },
  { email, continueTo, now }: { email: string; continueTo: string; now: number },
): Promise<void> {
  const { db } = needs;
  writeAttempt(needs, response, undefined);
  const user = await proveEmail(db, email, now);
  await rememberThisBrowser(needs, { request, response }, email);
  const finished = await finishFirstStep(db, { userId: user.id, ...sessionStartOf(needs, request) }, now);
  if (finished.kind === 'second-step') {
    writeSecondStep(needs, response, finished.attemptSecret);
    logSignIn(needs, { request, response }, { kind: 'second-step', userId: user.id });
    return redirect(response, 303, secondStepPath(continueTo));
  }
  writeUserSession(needs, response, finished.sessionId);
  logSignIn(needs, { request, response }, { kind: 'correct', userId: user.id });
  redirect(response, 303, continueTo);
}

/** Entered code that does not sign in. */
interface RejectedCode {
  result: Exclude<SignInCodeResult, { kind: 'correct' }>;
  /** `undefined` if the browser has no valid code. */
  attempt: CurrentAttempt | undefined;
  continueTo: string;
  now: number;
}

/** Sends the page with the next step: another try, a later try, or a new code. */
async function sendRejection(
  needs: EnterCodeNeeds,
  response: Response,
  { result, attempt, continueTo, now }: RejectedCode,
): Promise<void> {
  if (result.kind === 'exhausted') {
    const { app } = await signInContext(needs, continueTo);
    const facts = { counted: 'wrong codes', continueTo, hasCode: false, accent: app?.accent } as const;
    return sendTooManyCodes(response, { budget: result, now, ...facts });
  }
  if (result.kind === 'wrong' && result.triesLeft > 0 && attempt !== undefined) {
    const { triesLeft } = result;
    const error = 'This is not the code we sent.';
    return await sendCodePage(needs, response, { continueTo, ...attempt, error, triesLeft });
  }
  writeAttempt(needs, response, undefined);
  const error =
    result.kind === 'wrong'
      ? 'This is not the code we sent, and you have no tries left. Request a new code.'
      : 'This code has expired or was already used. Request a new code.';
  const email = result.kind === 'wrong' ? result.email : undefined;
  await sendSignInPage(needs, response, { continueTo, email, error });
}

interface CodePageFacts extends CurrentAttempt {
  continueTo: string;
  error?: string;
  triesLeft?: number;
}

/** Sends the page that asks for the code, with the status 400 if there is an error. */
async function sendCodePage(
  needs: EnterCodeNeeds,
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
