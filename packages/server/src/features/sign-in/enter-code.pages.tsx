import type { Request, Response, Router } from 'express';
import type { Needs, Services } from '../../app/services.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { t } from '../../platform/language/language.js';
import { type AreaAnswer, type Visit, type VisitForm, visitRoutes } from '../../web/kit/areas/area-routes.js';
import { chooserPath, readContinuePath } from '../../web/kit/areas/continue-path.js';
import { sessionStartOf, writeUserSession } from '../../web/kit/areas/user-session.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { UNTRANSLATED } from '../../web/kit/parts/values.js';
import { proveEmail } from '../memberships/claims.js';
import { finishFirstStep } from '../two-step/second-step.js';
import { type FindVisitor, rememberThisBrowser } from './known-browser.pages.js';
import { secondStepPath, writeSecondStep } from './second-step.routes.js';
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
import {
  enterSignInCode,
  findSignInEmail,
  SIGN_IN_CODE_LIFETIME_SECONDS,
  type SignInCodeResult,
  signInReference,
  typedCode,
} from './sign-in-codes.js';
import { sendTooManyCodes } from './too-many-codes.pages.js';

/**
 * Binds a sign-in code to the browser that requested it: the code doesn't work elsewhere. Contains the secret of the
 * newest attempt and of a few earlier ones, separated by {@link SEPARATOR}.
 */
const ATTEMPT_COOKIE: PageCookie = {
  name: 'latchkey_sign_in_attempt',
  lifetimeSeconds: SIGN_IN_CODE_LIFETIME_SECONDS,
};

interface CurrentAttempt {
  attemptSecret: string;
  earlierSecrets: readonly string[];
  email: string;
}

const SEPARATOR = '~';
const EARLIER_MAX = 3;

export function attemptSecretsIn(host: Needs<'baseUrl'>, request: Request): string[] {
  const secrets = readCookie(host, request, ATTEMPT_COOKIE)?.split(SEPARATOR) ?? [];
  return secrets.slice(0, EARLIER_MAX + 1);
}

export async function findCurrentAttempt(needs: Needs<'baseUrl' | 'clock' | 'db'>, request: Request) {
  const [attemptSecret, ...earlierSecrets] = attemptSecretsIn(needs, request);
  if (attemptSecret === undefined) return undefined;
  const email = await findSignInEmail(needs.db, attemptSecret, needs.clock.now());
  return email === undefined ? undefined : { attemptSecret, earlierSecrets, email };
}

export function writeAttempt(
  host: Needs<'baseUrl'>,
  response: Response,
  secrets: readonly string[] | undefined,
): void {
  cookieWriter(host, ATTEMPT_COOKIE)(response, secrets?.slice(0, EARLIER_MAX + 1).join(SEPARATOR));
}

const MESSAGES: Readonly<Record<SignInCodeResult['kind'] | 'second-step', string>> = {
  correct: 'User signed in',
  'second-step': 'Sign-in waits for the second step',
  wrong: 'Sign-in rejected: wrong code',
  earlier: 'Sign-in rejected: the code of an earlier mail',
  invalid: 'Sign-in rejected: the code has expired or was used, or another browser requested it',
  exhausted: 'Sign-in rejected: too many wrong codes',
};

export function codeRoutes(needs: Services, findVisitor: FindVisitor): Router {
  const { db, clock, logger, signInChoices, signInLimits: limits, site } = needs;
  return visitRoutes(needs, { '/sign-in/verify': { get: show, post: enter } });

  async function show({ request, response, query }: Visit): Promise<AreaAnswer> {
    const continueTo = readContinuePath(query.get('continue'));
    const attempt = await findCurrentAttempt(needs, request);
    if (attempt === undefined) return chooserPath(continueTo);
    await sendCodePage(response, { continueTo, ...attempt });
  }

  async function enter({ request, response, form }: VisitForm): Promise<AreaAnswer> {
    const continueTo = readContinuePath(form.get('continue'));
    const code = typedCode(form.get('code') ?? '');
    const attempt = await findCurrentAttempt(needs, request);
    const now = clock.now();
    let result: SignInCodeResult = { kind: 'invalid' };
    if (attempt !== undefined) {
      const visitor = await findVisitor(request, attempt.email);
      result = await enterSignInCode(db, { ...attempt, code, visitor, limits }, now);
    }
    if (result.kind !== 'correct') log({ request, response }, result.kind);
    switch (result.kind) {
      case 'correct':
        return await finishSignIn({ request, response }, { email: result.email, continueTo, now });
      case 'exhausted': {
        const { app } = await signInContext(needs, continueTo);
        const facts = { counted: 'wrong codes', continueTo, hasCode: false, accent: app?.accent } as const;
        return sendTooManyCodes(response, { exhausted: result, now, ...facts });
      }
      case 'wrong': {
        const { email, triesLeft } = result;
        if (triesLeft > 0 && attempt !== undefined) {
          const error = t('This is not the code we sent.');
          return await sendCodePage(response, { continueTo, ...attempt, error, triesLeft });
        }
        writeAttempt(needs, response, undefined);
        const error = t('This is not the code we sent, and you have no tries left. Request a new code.');
        return await sendSignInPage(needs, response, { continueTo, email, error });
      }
      case 'earlier': {
        if (attempt === undefined) return chooserPath(continueTo);
        const error = t('This code is from an earlier e-mail. Enter the one from the newest e-mail.');
        return await sendCodePage(response, { continueTo, ...attempt, error });
      }
      case 'invalid': {
        writeAttempt(needs, response, undefined);
        const error = t('This code has expired or was already used. Request a new code.');
        return await sendSignInPage(needs, response, { continueTo, error });
      }
    }
  }

  async function finishSignIn(
    { request, response }: { request: Request; response: Response },
    { email, continueTo, now }: { email: string; continueTo: string; now: number },
  ): Promise<string> {
    writeAttempt(needs, response, undefined);
    const user = await proveEmail(db, email, now);
    await rememberThisBrowser(needs, { request, response }, email);
    const start = { email, userId: user.id, ...sessionStartOf(needs, request) };
    const finished = await finishFirstStep(db, start, now);
    if (finished.kind === 'other-address') return chooserPath(continueTo);
    if (finished.kind === 'second-step') {
      writeSecondStep(needs, response, finished.attemptSecret);
      log({ request, response }, 'second-step', user.id);
      return secondStepPath(continueTo);
    }
    writeUserSession(needs, response, finished.sessionIds);
    log({ request, response }, 'correct', user.id);
    return continueTo;
  }

  async function sendCodePage(
    response: Response,
    facts: CurrentAttempt & { continueTo: string; error?: string; triesLeft?: number },
  ): Promise<void> {
    const { attemptSecret, earlierSecrets: _earlier, ...shown } = facts;
    const { client, formTargets } = await signInContext(needs, facts.continueTo);
    const html = signInCodePage({
      ...shown,
      client,
      service: site.brand,
      reference: signInReference(attemptSecret),
      inbox: codeSourceOf(signInChoices.inbox, facts.email),
    });
    sendPage(response, html, { status: facts.error === undefined ? 200 : 400, formTargets });
  }

  /** Logs the client's address, for operators who investigate an attack, but not the user's address or the code. */
  function log(
    { request, response }: { request: Request; response: Response },
    kind: keyof typeof MESSAGES,
    userId?: string,
  ): void {
    const fields = { ...requestFacts(request, response), ip: request.ip, ...(userId && { userId }) };
    if (kind === 'correct' || kind === 'second-step') logger.info(fields, MESSAGES[kind]);
    else logger.warn(fields, MESSAGES[kind]);
  }
}

interface SignInCodePageProps extends SignInFormProps {
  email: string;
  reference: string;
  triesLeft?: number | undefined;
  inbox?: CodeSource | undefined;
}

export function signInCodePage(props: SignInCodePageProps): Page {
  const { continueTo, email, error, triesLeft } = props;
  return signInCard(props, {
    tab: t(error === undefined ? 'Enter your code' : 'That code did not work'),
    title: t('Check your e-mail'),
    below: (
      <p class="lead">
        {t('We sent a six-digit code to {email}. Its reference is {reference}.', {
          email: <StrongName text={email} />,
          reference: <strong {...UNTRANSLATED}>{props.reference}</strong>,
        })}
      </p>
    ),
    children: (
      <>
        <SignInForm
          action="/sign-in/verify"
          continueTo={continueTo}
          name="code"
          label={t('Six-digit code')}
          input={sixDigitInput(t('The six digits from the e-mail'))}
          error={
            error === undefined || triesLeft === undefined ? error : `${error} ${triesInWords(triesLeft)}`
          }
          button={t('Sign in')}
        >
          <CodeNote source={props.inbox} kind="inbox" />
        </SignInForm>
        <div class="other-ways">
          <form method="post" action="/sign-in/code" data-at-once>
            <input type="hidden" name="email" value={email} />
            <input type="hidden" name="continue" value={continueTo} />
            <button class="link-button" type="submit">
              {t('Send a new code')}
            </button>
          </form>
          <a class="link-button" href={chooserPath(continueTo)}>
            {t('Use another address')}
          </a>
        </div>
      </>
    ),
  });
}
