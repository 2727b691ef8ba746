import type { Response, Router } from 'express';
import type { Needs, Services } from '../../app/services.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { t } from '../../platform/language/language.js';
import { withoutMailboxes } from '../../platform/mail/mailer.js';
import { EMAIL_PATH, inAccount, PROFILE_PATH } from '../../web/kit/areas/account-area.js';
import {
  type AreaForm,
  type AreaRequest,
  areaRoutes,
  type Visit,
  type VisitForm,
  visitRoutes,
} from '../../web/kit/areas/area-routes.js';
import { findCurrentSession, placeOf } from '../../web/kit/areas/user-session.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import { messagePage, sendMessage } from '../../web/kit/frame/message-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { Notes, Panel } from '../../web/kit/parts/panel.js';
import { emailField } from '../fields/fields.js';
import { createFindVisitor, rememberThisBrowser } from '../sign-in/known-browser.pages.js';
import {
  actWithProof,
  Confirmation,
  logAccountChange,
  type NeededProof,
  neededProof,
} from '../sign-in/proof.pages.js';
import { provenHashOf } from '../sign-in/second-step.routes.js';
import { CODE_FIELD, CodePlace, type CodeSource, codeSourceOf } from '../sign-in/sign-in-card.pages.js';
import { SIGN_IN_CODE_LIFETIME_SECONDS, typedCode } from '../sign-in/sign-in-codes.js';
import { sendWait } from '../sign-in/too-many-codes.pages.js';
import {
  beginEmailChange,
  type FinishedChange,
  findPendingChange,
  findUndo,
  finishEmailChange,
  undoEmailChange,
} from './email-change.js';
import { emailChangeCodeMail, UNDO_EMAIL_CHANGE_PATH } from './email-change-mail.js';

/** Ties the code from the new address to the browser that began the change. */
const CHANGE_COOKIE: PageCookie = {
  name: 'latchkey_email_change',
  lifetimeSeconds: SIGN_IN_CODE_LIFETIME_SECONDS,
};

const CONFIRM_PATH = `${EMAIL_PATH}/confirm`;

export function emailRoutes(needs: Services): Router {
  const { db, clock, logger, mailer, mailService, signInChoices, signInLimits: limits } = needs;
  const findVisitor = createFindVisitor(needs);
  return areaRoutes(needs, EMAIL_PATH, {
    [EMAIL_PATH]: { get: (area) => question(area), post: begin },
    [CONFIRM_PATH]: { get: (area) => askForCode(area), post: finish },
  });

  async function question(
    area: AreaRequest,
    typed: { email: string; errors?: readonly FormError[] } = { email: '' },
  ) {
    const { frame } = area;
    return emailPage({ frame, proof: await neededProof(needs, area), ...typed });
  }

  async function begin(area: AreaForm) {
    const { form, request, response } = area;
    const typed = form.get('email') ?? '';
    const parsed = emailField.safeParse(typed);
    if (!parsed.success) {
      const message = t('Enter an e-mail address such as name@example.com.');
      return question(area, { email: typed, errors: [{ field: 'email', message }] });
    }
    const email = parsed.data;
    const again = (errors: readonly FormError[]) => question(area, { email: typed, errors });
    return await actWithProof(needs, area, {
      path: EMAIL_PATH,
      again,
      async act(proof) {
        const now = clock.now();
        const visitor = await findVisitor(request, email);
        const begun = await beginEmailChange(db, { email, proof, visitor, limits }, now);
        if (begun.kind === 'same')
          return again([{ field: 'email', message: t('This is the address of your account already.') }]);
        if (begun.kind === 'too-many') return tooMany(response, begun.availableAt);
        if (begun.kind === 'unproven') return begun.proof;
        try {
          await mailer.send(emailChangeCodeMail({ to: email, code: begun.code, now }, mailService));
        } catch (error) {
          logger.error({ error: withoutMailboxes(error) }, 'mail for a new address not sent');
          return sendMessage(response, 503, {
            title: t('We could not send the code'),
            text: t('The e-mail was not sent. Please try again in a few minutes.'),
            action: { href: EMAIL_PATH, label: t('Back') },
          });
        }
        cookieWriter(needs, CHANGE_COOKIE)(response, begun.secret);
        return CONFIRM_PATH;
      },
    });
  }

  function tooMany(response: Response, availableAt: number): void {
    sendWait(response, { availableAt, now: clock.now() }, (time) => ({
      title: t('Too many tries'),
      text: t('Nothing was changed. Try again in {time}.', { time }),
      action: { href: PROFILE_PATH, label: t('Back to your profile') },
    }));
  }

  async function askForCode(area: AreaRequest, errors?: readonly FormError[]) {
    const { frame, user, request } = area;
    const secret = readCookie(needs, request, CHANGE_COOKIE);
    const change = secret && (await findPendingChange(db, { userId: user.id, secret }, clock.now()));
    if (!change) return EMAIL_PATH;
    const email = change.new_email;
    const inbox = codeSourceOf(signInChoices.inbox, email);
    return confirmEmailPage({ frame, email, errors, inbox });
  }

  async function finish(area: AreaForm) {
    const { user, form, request, response } = area;
    const secret = readCookie(needs, request, CHANGE_COOKIE);
    const session = await findCurrentSession(needs, request, user.id);
    if (secret === undefined || session === undefined) return EMAIL_PATH;
    const pending = await findPendingChange(db, { userId: user.id, secret }, clock.now());
    const visitor = await findVisitor(request, pending?.new_email ?? '');
    const code = typedCode(form.get('code') ?? '');
    const { sessionId } = session;
    const provenHash = await provenHashOf(needs, area);
    const ids = { userId: user.id, sessionId, secret, provenHash };
    const entered = { ...ids, code, visitor, limits, ...placeOf(request) };
    const finished = await finishEmailChange(db, entered, clock.now());
    return await answerFinished(area, finished, response);
  }

  async function answerFinished(area: AreaForm, finished: FinishedChange, response: Response) {
    const forget = () => cookieWriter(needs, CHANGE_COOKIE)(response, undefined);
    switch (finished.kind) {
      case 'changed':
        forget();
        await rememberThisBrowser(needs, area, finished.email);
        logAccountChange(needs, area, 'An e-mail address was changed');
        return `${PROFILE_PATH}?done=email`;
      case 'wrong':
        if (finished.triesLeft > 0) {
          return askForCode(area, [{ field: 'code', message: t('This is not the code we sent.') }]);
        }
        break;
      case 'exhausted':
        return tooMany(response, finished.availableAt);
      case 'taken':
        forget();
        return sendMessage(response, 409, addressTaken());
    }
    forget();
    const message = t('This code has expired or was entered wrongly too often. Start again.');
    return question(area, { email: '', errors: [{ field: 'email', message }] });
  }
}

/** The key in the link is the permission; there is no session. Opening the link changes nothing. */
export function undoEmailChangeRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>): Router {
  const { db, clock, logger } = needs;
  return visitRoutes(needs, { [UNDO_EMAIL_CHANGE_PATH]: { get: ask, post: undo } });

  async function ask({ response, query }: Visit) {
    const key = query.get('key') ?? '';
    const change = await findUndo(db, key, clock.now());
    if (change === undefined) return sendPage(response, undoExpiredPage(), { status: 404 });
    return undoEmailChangePage(key);
  }

  async function undo({ request, response, query }: VisitForm) {
    const undone = await undoEmailChange(db, query.get('key') ?? '', clock.now());
    if (undone === 'expired') return sendPage(response, undoExpiredPage(), { status: 404 });
    if (undone === 'taken') return sendMessage(response, 409, undoTaken());
    logger.info({ ip: request.ip }, 'The change of an e-mail address was undone');
    return sendPage(response, undonePage());
  }
}

const addressTaken = () => ({
  title: t('You have another account with this address'),
  text: t(
    'Nothing was changed. Sign in with that address, and delete that account or change its address first.',
  ),
  action: { href: PROFILE_PATH, label: t('Back to your profile') },
});

export function emailPage(props: PageProps & { proof: NeededProof; email: string }): Page {
  const { frame, proof, email } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(PROFILE_PATH),
    title: t(proof === 'sign-in' ? 'Sign in again to change your address' : 'Change your e-mail address'),
    parent: 'section',
    errorHeading: t('Your address was not changed'),
    children: (
      <Confirmation {...{ path: EMAIL_PATH, proof, about: <Consequences />, submit: t('Send the code') }}>
        <TextField
          name="email"
          label={t('New e-mail address')}
          hint={t('Now: {email}', { email: <bdi>{frame.user.email}</bdi> })}
          type="email"
          value={email}
          required
          maxLength={254}
          autoComplete="email"
          spellcheck={false}
        />
      </Confirmation>
    ),
  });
}

function Consequences() {
  return (
    <Panel heading={t('What happens')} id="consequences">
      <Notes
        notes={[
          t('We send a code to the new address. Nothing changes until you enter it.'),
          t('Then you sign in with the new address only. All other browsers are signed out.'),
          t(
            'Your memberships stay. Their sellers and apps that you allow receive the new address, and know you as before.',
          ),
          t(
            'Sellers who know you by the old address alone no longer find you by it. What others hold for the new address becomes yours.',
          ),
          t('We tell the old address, which can undo the change for seven days.'),
        ]}
      />
    </Panel>
  );
}

export function confirmEmailPage(props: PageProps & { email: string; inbox?: CodeSource | undefined }) {
  const { email, inbox } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(PROFILE_PATH),
    title: t('Confirm your new address'),
    parent: { href: EMAIL_PATH, label: t('Change your e-mail address') },
    errorHeading: t('Your address was not changed'),
    lead: t('We sent a six-digit code to {email}. It is valid for ten minutes.', {
      email: <bdi>{email}</bdi>,
    }),
    children: (
      <PostForm isPanel action={CONFIRM_PATH} submit={t('Change address')} cancelHref={PROFILE_PATH}>
        <TextField
          name="code"
          label={t('Six-digit code')}
          hint={inbox && <CodePlace source={inbox} kind="inbox" />}
          {...CODE_FIELD}
        />
      </PostForm>
    ),
  });
}

/** Asks before it undoes a change. It doesn't show an address, since mails get forwarded. */
export function undoEmailChangePage(key: string): Page {
  return renderDocument({
    title: t('Undo the change of your address?'),
    layout: 'card',
    loadsPageScript: true,
    children: (
      <main class="card">
        <div class="heading">
          <h1>{t('Undo the change of your address?')}</h1>
          <p class="lead">
            {t(
              'Your account gets back the address that received our e-mail. All browsers and apps are signed out of it.',
            )}
          </p>
        </div>
        <form
          class="stack"
          method="post"
          action={`${UNDO_EMAIL_CHANGE_PATH}?${new URLSearchParams({ key })}`}
        >
          <button class="button primary" type="submit">
            {t('Undo the change')}
          </button>
        </form>
      </main>
    ),
  });
}

const undoExpiredPage = () =>
  messagePage({
    title: t('This change can’t be undone any more'),
    text: t(
      'It was undone before, or seven days have passed, or our newest e-mail about it has another link. If someone else has your account, contact us.',
    ),
    action: { href: '/account', label: t('Your account') },
  });

const undoTaken = () => ({
  title: t('Another account has this address now'),
  text: t(
    'Nothing was changed. If you created that account, delete it on its profile page, then open the link in our e-mail again.',
  ),
  action: { href: PROFILE_PATH, label: t('Your profile') },
});

const undonePage = () =>
  messagePage({
    title: t('The change was undone'),
    text: t(
      'Your account has its earlier address again, and everyone is signed out of it. What it added or changed since the day before the change is off: API keys, webhooks, apps, roles and invitations. Sign in, and check these and your two-step sign-in.',
    ),
    isDone: true,
    action: { href: '/sign-in', label: t('Sign in') },
  });
