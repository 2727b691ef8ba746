import type { Request, RequestHandler, Response } from 'express';
import type { Services } from '../../app/services.js';
import {
  enterSignInCode,
  type SignInCodeResult,
  signInReference,
} from '../../domain/sign-in/sign-in-codes.js';
import { finishFirstStep } from '../../domain/two-step/second-step.js';
import { proveEmail } from '../../domain/users/users.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { renderDocument } from '../ui/frame/document.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import type { ClientSummary } from '../ui/parts/client-summary.js';
import { UNTRANSLATED } from '../ui/parts/untranslated.js';
import { CodeInboxNote, type CodeInboxNoteProps } from './code-inbox-note.js';
import { readContinuePath, signInPath } from './continue-path.js';
import { rememberThisBrowser } from './known-browser.js';
import { secondStepPath, writeSecondStep } from './second-step-routes.js';
import { sendSignInPage } from './send-sign-in-page.js';
import { type CurrentAttempt, findCurrentAttempt, writeAttempt } from './sign-in-attempt.js';
import { signInContext } from './sign-in-context.js';
import { SIGN_IN_FOOTER, type SignInBrand, SignInHeading } from './sign-in-heading.js';
import { logSignIn } from './sign-in-log.js';
import type { FindVisitor } from './sign-in-visitor.js';
import { SixDigitCodeField } from './six-digit-code-field.js';
import { sendTooManyCodes } from './too-many-codes.js';
import { sessionStartOf, writeUserSession } from './user-session.js';

/** Shows the form for the code, if the browser has requested one. */
export function showCodeForm(needs: Services): RequestHandler {
  return async (request, response) => {
    const continueTo = readContinuePath(requestQuery(request).get('continue'));
    const attempt = await findCurrentAttempt(needs, request);
    if (attempt === undefined) return redirect(response, 303, signInPath(continueTo));
    await sendCodePage(needs, response, { continueTo, ...attempt });
  };
}

/** Handles an entered code. A correct one finishes the first step of the sign-in. */
export function enterCode(needs: Services, findVisitor: FindVisitor): RequestHandler {
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
  needs: Services,
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
  needs: Services,
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
  needs: Services,
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

interface SignInCodePageProps {
  /** Client whose authorization request led to the sign-in. */
  client?: ClientSummary | undefined;
  service: SignInBrand;
  /** Address that the code was sent to. */
  email: string;
  /** Letters that the e-mail contains too. */
  reference: string;
  /** Destination after sign-in, in the hidden field `continue`. The receiver validates it again. */
  continueTo: string;
  /** Error message for the last code. */
  error?: string | undefined;
  /** Number of tries left, shown beside the error. */
  triesLeft?: number | undefined;
  /**
   * Link to the inbox that the code arrives in.
   *
   * @default none
   */
  inbox?: CodeInboxNoteProps | undefined;
}

/**
 * Asks for the e-mailed code: `POST /sign-in/verify` with `code` and `continue`.
 * `POST /sign-in/code` with `email` and `continue` requests a new code.
 */
export function signInCodePage(props: SignInCodePageProps): Page {
  return renderDocument({
    title: props.error === undefined ? 'Enter your code' : 'That code did not work',
    layout: 'card',
    footer: props.client === undefined ? undefined : SIGN_IN_FOOTER,
    accent: props.client?.accent,
    children: (
      <main class="card">
        <SignInHeading client={props.client} service={props.service} title="Check your e-mail">
          <p class="lead">
            We sent a six-digit code to{' '}
            <strong>
              <bdi>{props.email}</bdi>
            </strong>
            . Its reference is <strong {...UNTRANSLATED}>{props.reference}</strong>.
          </p>
        </SignInHeading>
        <CodeForm {...props} />
        <OtherWays email={props.email} continueTo={props.continueTo} />
      </main>
    ),
  });
}

function CodeForm(props: SignInCodePageProps) {
  const error = errorText(props.error, props.triesLeft);
  return (
    <form class="stack" method="post" action="/sign-in/verify">
      <input type="hidden" name="continue" value={props.continueTo} />
      <SixDigitCodeField label="Six-digit code" title="The six digits from the e-mail" error={error} />
      <button class="button primary" type="submit">
        Sign in
      </button>
      {props.inbox !== undefined && <CodeInboxNote {...props.inbox} />}
    </form>
  );
}

function OtherWays(props: { email: string; continueTo: string }) {
  return (
    <div class="other-ways">
      <form method="post" action="/sign-in/code">
        <input type="hidden" name="email" value={props.email} />
        <input type="hidden" name="continue" value={props.continueTo} />
        <button class="link-button" type="submit">
          Send a new code
        </button>
      </form>
      <a class="link-button" href={`/sign-in?continue=${encodeURIComponent(props.continueTo)}`}>
        Use another address
      </a>
    </div>
  );
}

function errorText(error: string | undefined, triesLeft: number | undefined): string | undefined {
  if (error === undefined || triesLeft === undefined) return error;
  return `${error} ${triesLeft === 1 ? 'One try left.' : `${triesLeft} tries left.`}`;
}
