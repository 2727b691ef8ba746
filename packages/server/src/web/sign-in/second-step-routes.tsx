import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Services } from '../../app/services.js';
import {
  enterSecondStep,
  findSecondStep,
  SECOND_STEP_LIFETIME_SECONDS,
  type SecondStepResult,
} from '../../domain/two-step/second-step.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { renderDocument } from '../ui/frame/document.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import type { ClientSummary } from '../ui/parts/client-summary.js';
import { errorAttributes, FieldError } from '../ui/parts/field-error.js';
import { CodeAuthenticatorNote, type CodeInboxNoteProps } from './code-inbox-note.js';
import { readContinuePath, signInPath } from './continue-path.js';
import { readProvenSecret, writeProvenSecret } from './proven-browser.js';
import { sendSignInPage } from './send-sign-in-page.js';
import { signInContext } from './sign-in-context.js';
import { SIGN_IN_FOOTER, type SignInBrand, SignInHeading } from './sign-in-heading.js';
import { logSecondStep } from './sign-in-log.js';
import { SixDigitCodeField } from './six-digit-code-field.js';
import { sendTooManySecondFactors } from './too-many-codes.js';
import { sessionStartOf, writeUserSession } from './user-session.js';

/** Binds the second step to the browser that finished the first one. */
const SECOND_STEP_COOKIE: PageCookie = {
  name: 'latchkey_second_step',
  lifetimeSeconds: SECOND_STEP_LIFETIME_SECONDS,
};

const PATH = '/sign-in/second-step';

/** Returns the path of the second step of a sign-in that continues to a path. */
export function secondStepPath(continueTo: string, method: SecondStepMethod = 'app'): string {
  const query = new URLSearchParams({ continue: continueTo, ...(method !== 'app' && { with: method }) });
  return `${PATH}?${query}`;
}

/** Lets the browser enter the second factor of a sign-in. */
export function writeSecondStep(
  host: Pick<Services, 'baseUrl'>,
  response: Response,
  attemptSecret: string,
): void {
  cookieWriter(host, SECOND_STEP_COOKIE)(response, attemptSecret);
}

/** Routes of the second step of a sign-in. */
export function secondStepRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PATH)
    .get(showForm(needs))
    .post(sameOriginGuard(needs), readForm, verify(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

interface Attempt {
  attemptSecret: string;
  userId: string;
  email: string | null;
}

/** Returns the browser's sign-in that waits for the second step, if it has not expired. */
async function currentAttempt(needs: Services, request: Request): Promise<Attempt | undefined> {
  const attemptSecret = readCookie(needs, request, SECOND_STEP_COOKIE);
  if (attemptSecret === undefined) return undefined;
  const found = await findSecondStep(needs.db, attemptSecret, needs.clock.now());
  return found && { attemptSecret, ...found };
}

function methodOf(value: string | null): SecondStepMethod {
  return value === 'recovery-code' ? value : 'app';
}

function showForm(needs: Services): RequestHandler {
  return async (request, response) => {
    const query = requestQuery(request);
    const continueTo = readContinuePath(query.get('continue'));
    const attempt = await currentAttempt(needs, request);
    if (attempt === undefined) return redirect(response, 303, signInPath(continueTo));
    await sendForm(needs, response, { continueTo, attempt, method: methodOf(query.get('with')) });
  };
}

function verify(needs: Services): RequestHandler {
  const { db, clock } = needs;
  return async (request, response) => {
    const form = formOf(request);
    const continueTo = readContinuePath(form.get('continue'));
    const method = methodOf(form.get('with'));
    const attempt = await currentAttempt(needs, request);
    const now = clock.now();
    let result: SecondStepResult = { kind: 'invalid' };
    if (attempt !== undefined) {
      const { attemptSecret, userId } = attempt;
      const code = form.get('code') ?? '';
      const provenSecret = readProvenSecret(needs, request, userId);
      const start = sessionStartOf(needs, request);
      result = await enterSecondStep(db, { attemptSecret, code, provenSecret, ...start }, now);
    }
    logSecondStep(needs, { request, response }, result);
    if ((result.kind === 'wrong' || result.kind === 'used') && result.triesLeft > 0 && attempt) {
      const error = errorText(result, method);
      return await sendForm(needs, response, { continueTo, attempt, method, error });
    }
    if (result.kind === 'exhausted') {
      const { app } = await signInContext(needs, continueTo);
      const href = secondStepPath(continueTo, 'recovery-code');
      const action = { href, label: 'Use a recovery code' };
      const { availableAt } = result;
      return sendTooManySecondFactors(response, { availableAt, now, action, accent: app?.accent });
    }
    cookieWriter(needs, SECOND_STEP_COOKIE)(response, undefined);
    switch (result.kind) {
      case 'correct':
        writeProvenSecret(needs, response, result);
        writeUserSession(needs, response, result.sessionId);
        return redirect(response, 303, continueTo);
      default: {
        const error =
          result.kind === 'invalid'
            ? 'This sign-in has expired or was already finished. Start again.'
            : 'This is not a current code, and you have no tries left. Start again.';
        await sendSignInPage(needs, response, { continueTo, error });
      }
    }
  };
}

function errorText(
  { kind, triesLeft }: { kind: 'wrong' | 'used'; triesLeft: number },
  method: SecondStepMethod,
): string {
  const left = triesLeft === 1 ? 'One try left.' : `${triesLeft} tries left.`;
  if (kind === 'used') return `This code was already used. Wait for the next one. ${left}`;
  if (method === 'recovery-code') return `This is not one of your unused recovery codes. ${left}`;
  return `This is not the current code of your app. ${left}`;
}

interface FormFacts {
  continueTo: string;
  attempt: Attempt;
  method: SecondStepMethod;
  error?: string | undefined;
}

/** Sends the page that asks for the second factor, with the status 400 if there is an error. */
async function sendForm(
  needs: Services,
  response: Response,
  { continueTo, attempt, method, error }: FormFacts,
): Promise<void> {
  const { client, formTargets } = await signInContext(needs, continueTo);
  const { authenticator } = needs.signInChoices;
  const html = secondStepPage({
    client,
    service: needs.site.brand,
    email: attempt.email ?? 'your account',
    method,
    continueTo,
    error,
    authenticator: authenticator && {
      name: authenticator.name,
      href: authenticator.href(attempt.email ?? undefined),
    },
  });
  sendPage(response, html, { status: error === undefined ? 200 : 400, formTargets });
}

/** Kind of code that the page asks for. */
type SecondStepMethod = 'app' | 'recovery-code';

interface SecondStepPageProps {
  /** Client whose authorization request led to the sign-in. */
  client?: ClientSummary | undefined;
  service: SignInBrand;
  /** Address of the user who signs in. */
  email: string;
  method: SecondStepMethod;
  /** Destination after sign-in, in the hidden field `continue`. The receiver validates it again. */
  continueTo: string;
  /** Error message for the last code. */
  error?: string | undefined;
  /**
   * Link to a page that shows the current codes of test users.
   *
   * @default none
   */
  authenticator?: CodeInboxNoteProps | undefined;
}

/** Asks for the second factor: `POST /sign-in/second-step` with `code`, `with` and `continue`. */
export function secondStepPage(props: SecondStepPageProps): Page {
  const { client, service, email, method } = props;
  const isApp = method === 'app';
  return renderDocument({
    title: titleOf(props),
    layout: 'card',
    footer: client === undefined ? undefined : SIGN_IN_FOOTER,
    accent: client?.accent,
    children: (
      <main class="card">
        <SignInHeading
          client={client}
          service={service}
          title={isApp ? 'One more step' : 'Use a recovery code'}
        >
          <p class="lead">
            {isApp
              ? 'Enter the code that your authenticator app shows for '
              : 'Enter one of the codes that you saved when you turned on two-step sign-in for '}
            <strong>
              <bdi>{email}</bdi>
            </strong>
            .
          </p>
        </SignInHeading>
        <form class="stack" method="post" action="/sign-in/second-step">
          <input type="hidden" name="continue" value={props.continueTo} />
          <input type="hidden" name="with" value={method} />
          {isApp ? <AppCodeField error={props.error} /> : <RecoveryCodeField error={props.error} />}
          <button class="button primary" type="submit">
            Sign in
          </button>
          {isApp && props.authenticator !== undefined && <CodeAuthenticatorNote {...props.authenticator} />}
        </form>
        <OtherMethods {...props} />
      </main>
    ),
  });
}

/** Names the page in the browser's tab. The titles of all pages differ. */
function titleOf({ method, error }: SecondStepPageProps): string {
  if (method === 'app')
    return error === undefined ? 'Enter the code from your app' : 'That app code did not work';
  return error === undefined ? 'Enter a recovery code' : 'That recovery code did not work';
}

function AppCodeField({ error }: { error: string | undefined }) {
  const title = 'The six digits from your authenticator app';
  return <SixDigitCodeField label="Code from your app" title={title} error={error} />;
}

function RecoveryCodeField({ error }: { error: string | undefined }) {
  return (
    <div class="field">
      <label for="code">Recovery code</label>
      <input
        id="code"
        name="code"
        type="text"
        dir="ltr"
        required
        maxlength={64}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        autofocus
        {...errorAttributes(error, 'code-error')}
      />
      {error !== undefined && <FieldError id="code-error" text={error} />}
    </div>
  );
}

function OtherMethods({ method, continueTo }: SecondStepPageProps) {
  const query = new URLSearchParams({ continue: continueTo });
  if (method === 'app') query.set('with', 'recovery-code');
  return (
    <div class="other-ways">
      <a class="link-button" href={`/sign-in/second-step?${query}`}>
        {method === 'app' ? 'Use a recovery code' : 'Use your app'}
      </a>
      <a class="link-button" href={`/sign-in?${new URLSearchParams({ continue: continueTo })}`}>
        Use another address
      </a>
    </div>
  );
}
