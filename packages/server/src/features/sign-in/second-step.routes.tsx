import type { Request, Response, Router } from 'express';
import type { Needs, Services } from '../../app/services.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { phrase, t } from '../../platform/language/language.js';
import { hashSecret } from '../../platform/secrets.js';
import { type AreaAnswer, type Visit, type VisitForm, visitRoutes } from '../../web/kit/areas/area-routes.js';
import { chooserPath, readContinuePath } from '../../web/kit/areas/continue-path.js';
import { sessionStartOf, writeUserSession } from '../../web/kit/areas/user-session.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { findAuthenticatorApp } from '../two-step/authenticator-app.js';
import { hashProof, PROVEN_BROWSER_LIFETIME_SECONDS } from '../two-step/second-factor.js';
import {
  enterSecondStep,
  findSecondStep,
  SECOND_STEP_LIFETIME_SECONDS,
  type SecondStepResult,
} from '../two-step/second-step.js';
import { sendSignInPage } from './sign-in.pages.js';
import {
  CodeNote,
  type CodeSource,
  codeSourceOf,
  SignInForm,
  type SignInFormProps,
  StrongName,
  signInCard,
  signInContext,
  sixDigitInput,
  triesInWords,
} from './sign-in-card.pages.js';
import { sendTooManySecondFactors } from './too-many-codes.pages.js';

/** Binds the second step to the browser that finished the first one. */
const SECOND_STEP_COOKIE: PageCookie = {
  name: 'latchkey_second_step',
  lifetimeSeconds: SECOND_STEP_LIFETIME_SECONDS,
};

const PATH = '/sign-in/second-step';

export function secondStepPath(continueTo: string, method: SecondStepMethod = 'app'): string {
  const query = new URLSearchParams({ continue: continueTo, ...(method !== 'app' && { with: method }) });
  return `${PATH}?${query}`;
}

export function writeSecondStep(host: Needs<'baseUrl'>, response: Response, attemptSecret: string): void {
  cookieWriter(host, SECOND_STEP_COOKIE)(response, attemptSecret);
}

const NAME_LENGTH = 16;

/** Each user has a separate cookie. Users of one browser don't replace each other's. */
function provenCookieOf(userId: string): PageCookie {
  const name = `latchkey_proven_${hashSecret(userId).slice(0, NAME_LENGTH)}`;
  return { name, lifetimeSeconds: PROVEN_BROWSER_LIFETIME_SECONDS };
}

export function readProvenSecret(host: Needs<'baseUrl'>, request: Request, userId: string) {
  return readCookie(host, request, provenCookieOf(userId));
}

/** Returns the hash of a browser that passed a second factor of the user. */
export async function provenHashOf(
  host: Needs<'baseUrl' | 'db'>,
  { user, request }: { user: { id: string }; request: Request },
): Promise<string | undefined> {
  const provenSecret = readProvenSecret(host, request, user.id);
  const app = await findAuthenticatorApp(host.db, user.id);
  return app && provenSecret && hashProof({ app, provenSecret });
}

export function writeProvenSecret(
  host: Needs<'baseUrl'>,
  response: Response,
  { userId, provenSecret }: { userId: string; provenSecret: string },
): void {
  cookieWriter(host, provenCookieOf(userId))(response, provenSecret);
}

const MESSAGES: Readonly<Record<SecondStepResult['kind'], string>> = {
  correct: 'User signed in with a second step',
  wrong: 'Second step rejected: wrong code',
  used: 'Second step rejected: the code was used before',
  invalid: 'Second step rejected: the sign-in has expired or was finished, or another browser started it',
  exhausted: 'Second step rejected: too many wrong codes for this user',
};

export function secondStepRoutes(needs: Services): Router {
  const { db, clock, logger, signInChoices, site } = needs;
  return visitRoutes(needs, { [PATH]: { get: show, post: enter } });

  async function show({ request, response, query }: Visit): Promise<AreaAnswer> {
    const continueTo = readContinuePath(query.get('continue'));
    const attempt = await currentAttempt(request);
    if (attempt === undefined) return chooserPath(continueTo);
    const method = methodOf(query.get('with'));
    await sendForm(response, { continueTo, email: attempt.email, method });
  }

  async function enter({ request, response, form }: VisitForm): Promise<AreaAnswer> {
    const continueTo = readContinuePath(form.get('continue'));
    const method = methodOf(form.get('with'));
    const attempt = await currentAttempt(request);
    const now = clock.now();
    let result: SecondStepResult = { kind: 'invalid' };
    if (attempt !== undefined) {
      const { attemptSecret, userId } = attempt;
      const code = form.get('code') ?? '';
      const provenSecret = readProvenSecret(needs, request, userId);
      const start = sessionStartOf(needs, request);
      result = await enterSecondStep(db, { attemptSecret, code, provenSecret, ...start }, now);
    }
    log({ request, response }, result);
    if ((result.kind === 'wrong' || result.kind === 'used') && result.triesLeft > 0 && attempt) {
      const error = errorText(result, method);
      return await sendForm(response, { continueTo, email: attempt.email, method, error });
    }
    if (result.kind === 'exhausted') {
      const { app } = await signInContext(needs, continueTo);
      const href = secondStepPath(continueTo, 'recovery-code');
      const action = { href, label: t('Use a recovery code') };
      const { availableAt } = result;
      return sendTooManySecondFactors(response, { availableAt, now, action, accent: app?.accent });
    }
    cookieWriter(needs, SECOND_STEP_COOKIE)(response, undefined);
    if (result.kind === 'correct') {
      writeProvenSecret(needs, response, result);
      writeUserSession(needs, response, result.sessionIds);
      return continueTo;
    }
    const error =
      result.kind === 'invalid'
        ? t('This sign-in has expired or was already finished. Start again.')
        : t('This is not a current code, and you have no tries left. Start again.');
    await sendSignInPage(needs, response, { continueTo, error });
  }

  async function currentAttempt(request: Request) {
    const attemptSecret = readCookie(needs, request, SECOND_STEP_COOKIE);
    if (attemptSecret === undefined) return undefined;
    const found = await findSecondStep(db, attemptSecret, clock.now());
    return found && { attemptSecret, ...found };
  }

  async function sendForm(
    response: Response,
    facts: { continueTo: string; email: string | null; method: SecondStepMethod; error?: string },
  ): Promise<void> {
    const { client, formTargets } = await signInContext(needs, facts.continueTo);
    const html = secondStepPage({
      ...facts,
      client,
      service: site.brand,
      email: facts.email ?? t('your account'),
      authenticator: codeSourceOf(signInChoices.authenticator, facts.email),
    });
    sendPage(response, html, { status: facts.error === undefined ? 200 : 400, formTargets });
  }

  /** Logs the result with the user: the first step has proved who it is. */
  function log({ request, response }: { request: Request; response: Response }, result: SecondStepResult) {
    const { userId } = { userId: undefined, ...result };
    const method = result.kind === 'correct' ? { method: result.method } : {};
    const who = { ip: request.ip, ...(userId && { userId }), ...method };
    const level = result.kind === 'correct' ? 'info' : 'warn';
    logger[level]({ ...requestFacts(request, response), ...who }, MESSAGES[result.kind]);
  }
}

function methodOf(value: string | null): SecondStepMethod {
  return value === 'recovery-code' ? value : 'app';
}

function errorText(
  { kind, triesLeft }: { kind: 'wrong' | 'used'; triesLeft: number },
  method: SecondStepMethod,
): string {
  const problem =
    kind === 'used'
      ? t('This code was already used. Wait for the next one.')
      : method === 'recovery-code'
        ? t('This is not one of your unused recovery codes.')
        : t('This is not the current code of your app.');
  return `${problem} ${triesInWords(triesLeft)}`;
}

type SecondStepMethod = 'app' | 'recovery-code';

interface SecondStepPageProps extends SignInFormProps {
  email: string;
  method: SecondStepMethod;
  authenticator?: CodeSource | undefined;
}

const BY_METHOD = {
  app: {
    tab: phrase('Enter the code from your app'),
    failedTab: phrase('That app code did not work'),
    title: phrase('One more step'),
    lead: phrase('Enter the code that your authenticator app shows for {account}.'),
    label: phrase('Code from your app'),
    inputOf: () => sixDigitInput(t('The six digits from your authenticator app')),
    other: { method: 'recovery-code', label: phrase('Use a recovery code') },
  },
  'recovery-code': {
    tab: phrase('Enter a recovery code'),
    failedTab: phrase('That recovery code did not work'),
    title: phrase('Use a recovery code'),
    lead: phrase('Enter one of the codes that you saved when you turned on two-step sign-in for {account}.'),
    label: phrase('Recovery code'),
    inputOf: () =>
      ({
        type: 'text',
        dir: 'ltr',
        required: true,
        maxlength: 64,
        autocomplete: 'off',
        autocapitalize: 'characters',
        spellcheck: false,
        autofocus: true,
      }) as const,
    other: { method: 'app', label: phrase('Use your app') },
  },
} as const;

export function secondStepPage(props: SecondStepPageProps): Page {
  const { method, continueTo, error } = props;
  const { tab, failedTab, title, lead, label, inputOf, other } = BY_METHOD[method];
  return signInCard(props, {
    tab: t(error === undefined ? tab : failedTab),
    title: t(title),
    below: (
      <p class="lead">
        {t(lead, {
          account: <StrongName text={props.email} />,
        })}
      </p>
    ),
    children: (
      <>
        <SignInForm
          {...props}
          action={PATH}
          hidden={{ with: method }}
          name="code"
          label={t(label)}
          input={inputOf()}
          button={t('Sign in')}
        >
          {method === 'app' && <CodeNote source={props.authenticator} kind="app" />}
        </SignInForm>
        <div class="other-ways">
          <a class="link-button" href={secondStepPath(continueTo, other.method)}>
            {t(other.label)}
          </a>
          <a class="link-button" href={chooserPath(continueTo)}>
            {t('Use another address')}
          </a>
        </div>
      </>
    ),
  });
}
