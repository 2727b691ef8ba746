import { emailField } from '@latchkey/contract';
import { Router } from 'express';
import type { Needs, Services } from '../../app/services.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { writeLanguage } from '../../platform/http/visitor-language.js';
import { isLanguage, t } from '../../platform/language/language.js';
import { withoutMailboxes } from '../../platform/mail/mailer.js';
import { type Visit, type VisitForm, visitRoutes } from '../../web/kit/areas/area-routes.js';
import {
  asksToChoose,
  chooserPath,
  readContinuePath,
  SIGN_IN_PATH,
  signInPath,
} from '../../web/kit/areas/continue-path.js';
import {
  chooseAccount,
  endUserSession,
  findSignedInUser,
  listAccounts,
} from '../../web/kit/areas/user-session.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import { isFromStranger, sendOnwards } from '../../web/kit/frame/same-origin-guard.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { CheckIcon } from '../../web/kit/parts/icons.js';
import { LANGUAGE_PATH } from '../../web/kit/parts/language-menu.js';
import { rememberLanguage } from '../users/users.js';
import { attemptSecretsIn, codeRoutes, findCurrentAttempt, writeAttempt } from './enter-code.pages.js';
import { createFindVisitor, knownBrowserLink, openKnownBrowserLink } from './known-browser.pages.js';
import { secondStepRoutes } from './second-step.routes.js';
import { CHOOSE_ACCOUNT_PATH, sendSignInPage } from './sign-in.pages.js';
import { signInContext } from './sign-in-card.pages.js';
import { createSignInCode, endSignInAttempts, signInReference } from './sign-in-codes.js';
import { signInMail } from './sign-in-mail.js';
import { sendTooManyCodes } from './too-many-codes.pages.js';

/** `POST /sign-out` signs out all accounts, or one. Clients keep their tokens until the user revokes them. */
export function signInRoutes(needs: Services): Router {
  const { db, clock, baseUrl, mailer, mailService, logger, signInLimits: limits } = needs;
  const findVisitor = createFindVisitor(needs);
  const routes = visitRoutes(needs, {
    [SIGN_IN_PATH]: { get: show },
    [CHOOSE_ACCOUNT_PATH]: { post: choose },
    '/sign-in/code': { post: sendCode },
    '/sign-in/browser': { get: openKnownBrowserLink(needs) },
    '/sign-out': { post: signOut },
    [LANGUAGE_PATH]: { post: chooseLanguage },
    '/signed-out': { get: signedOutPage },
  });
  return Router({ caseSensitive: true, strict: true }).use(
    routes,
    codeRoutes(needs, findVisitor),
    secondStepRoutes(needs),
  );

  async function show({ request, response, query }: Visit) {
    const continueTo = readContinuePath(query.get('continue'));
    const path = asksToChoose(query) ? chooserPath(continueTo) : signInPath(continueTo);
    if (isFromStranger(request)) {
      const { ownOrigins } = await signInContext(needs, continueTo);
      if (isFromStranger(request, ownOrigins)) return sendOnwards(response, path);
    }
    if (!asksToChoose(query) && (await findSignedInUser(needs, request))) {
      return continueTo;
    }
    await sendSignInPage(needs, response, { continueTo, accounts: await listAccounts(needs, request) });
  }

  /** If the account was signed out meanwhile, nothing changes and the page shows the others. */
  async function choose({ request, response, form }: VisitForm) {
    const continueTo = readContinuePath(form.get('continue'));
    const chosen = await chooseAccount(needs, { request, response }, form.get('account') ?? '');
    return chosen ? continueTo : chooserPath(continueTo);
  }

  async function sendCode({ request, response, form }: VisitForm) {
    const continueTo = readContinuePath(form.get('continue'));
    const typed = form.get('email') ?? '';
    const parsed = emailField.safeParse(typed);
    if (!parsed.success) {
      const error = t('Enter an e-mail address such as name@example.com.');
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
        title: t('We could not send the code'),
        accent: app?.accent,
        text: t('The e-mail was not sent. Please try again in a few minutes.'),
        action: { href: signInPath(continueTo), label: t('Back to sign-in') },
      });
    }
    const earlierSecrets = attemptSecretsIn(needs, request);
    await endSignInAttempts(db, earlierSecrets, now);
    writeAttempt(needs, response, [attemptSecret, ...earlierSecrets]);
    return `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`;
  }

  async function signOut({ request, response, form }: VisitForm) {
    const continueTo = form.get('continue');
    await endUserSession(needs, { request, response }, form.get('account') ?? undefined);
    return continueTo === null ? '/signed-out' : readContinuePath(continueTo);
  }

  /** Remembers the language that a visitor chose, also for emails to a signed-in user. Returns to the page with the form. */
  async function chooseLanguage({ request, response, form }: VisitForm) {
    const language = form.get('language') ?? '';
    if (isLanguage(language)) {
      writeLanguage(needs, response, language);
      const user = await findSignedInUser(needs, request);
      if (user !== undefined) await rememberLanguage(needs.db, { userId: user.id, language });
    }
    return pathOf(request.get('Referer'), needs);
  }
}

/** Returns the path of a page of this service. Pages send their address within the service only. */
function pathOf(referrer: string | undefined, { baseUrl }: Needs<'baseUrl'>): string {
  const url = referrer !== undefined && URL.canParse(referrer) ? new URL(referrer) : undefined;
  return readContinuePath(url?.origin === new URL(baseUrl).origin ? url.pathname + url.search : null);
}

export function signedOutPage(): Page {
  return renderDocument({
    title: t('Signed out'),
    layout: 'card',
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>{t('You are signed out')}</h1>
        <p class="lead">
          {t('Sites that you signed in to keep their own sessions until you sign out there.')}
        </p>
        <a class="button primary" href="/sign-in">
          {t('Sign in again')}
        </a>
      </main>
    ),
  });
}
