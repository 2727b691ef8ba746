import { Router } from 'express';
import type { Services } from '../../app/services.js';
import { isRecentSignIn } from '../../domain/sessions/sessions.js';
import { totpAddress } from '../../domain/two-step/authenticator-app.js';
import {
  type EnteredFactor,
  readTwoStepState,
  type SecondFactorResult,
} from '../../domain/two-step/second-factor.js';
import {
  beginSetup,
  confirmSetup,
  findSetup,
  renewRecoveryCodes,
  turnTwoStepOff,
} from '../../domain/two-step/two-step-settings.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { type AreaForm, type AreaRequest, areaForm, areaPage } from '../sign-in/area-route.js';
import { readProvenSecret, writeProvenSecret } from '../sign-in/second-step-routes.js';
import { sendTooManySecondFactors } from '../sign-in/too-many-codes.js';
import {
  type CurrentSession,
  findCurrentSession,
  placeOf,
  writeUserSession,
} from '../sign-in/user-session.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import { ButtonLink } from '../ui/parts/button.js';
import { CodeBlock } from '../ui/parts/copy.js';
import type { FormError } from '../ui/parts/error-summary.js';
import { Panel } from '../ui/parts/panel.js';
import { accountNotice } from './account-notices.js';
import { ACCOUNT_SECTIONS, TWO_STEP_PATH } from './account-sections.js';
import { logAccountChange } from './log-account-change.js';
import { rejectedCode } from './second-factor-field.js';
import { type GuardedChange, secondFactorPage } from './second-factor-page.js';
import { twoStepPage } from './two-step-page.js';
import { twoStepSetupPage } from './two-step-setup-page.js';

/** Light modules around a QR code (ISO/IEC 18004). */
const BORDER = 4;

/** Returns the modules of a QR code by row, true for dark. The library is loaded with the first QR code. */
async function qrCodeRows(text: string): Promise<readonly (readonly boolean[])[]> {
  const { encode } = await import('uqr');
  return encode(text, { ecc: 'M', border: BORDER }).data;
}

type Params = Record<string, string>;

/** Name of the notice that two-step sign-in was turned off. */
const DONE_OFF = 'two-step-off';

/** Routes of two-step sign-in on the account page. */
export function twoStepRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(TWO_STEP_PATH).get(showState(needs)).all(methodNotAllowed('GET'));
  router
    .route(`${TWO_STEP_PATH}/set-up`)
    .get(showSetup(needs))
    .post(startSetup(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route(`${TWO_STEP_PATH}/confirm`).post(confirm(needs)).all(methodNotAllowed('POST'));
  for (const change of ['turn-off', 'recovery-codes'] as const) {
    router
      .route(`${TWO_STEP_PATH}/${change}`)
      .get(askForFactor(needs, change))
      .post(change === 'turn-off' ? turnOff(needs) : renewCodes(needs))
      .all(methodNotAllowed('GET, POST'));
  }
  return router;
}

function showState(needs: Services) {
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const state = await readTwoStepState(needs.db, user.id);
    const session = await findCurrentSession(needs, request, user.id);
    const mustSignInAgain = !isRecent(needs, session);
    // A link from elsewhere must not claim that it is off.
    const isFalse = state.onSince !== null && requestQuery(request).get('done') === DONE_OFF;
    const notice = isFalse ? undefined : accountNotice(request);
    sendPage(response, twoStepPage({ frame, ...state, mustSignInAgain, notice }));
  });
}

function isRecent({ clock }: Services, session: CurrentSession | undefined): session is CurrentSession {
  return session !== undefined && isRecentSignIn(session.signedInAt, clock.now());
}

function startSetup(needs: Services) {
  const { db, clock } = needs;
  return areaForm(needs, TWO_STEP_PATH, async ({ user, request, response }) => {
    const session = await findCurrentSession(needs, request, user.id);
    const { onSince } = await readTwoStepState(db, user.id);
    // The page explains what is missing.
    if (!isRecent(needs, session) || onSince !== null) return redirect(response, 303, TWO_STEP_PATH);
    const { sessionId } = session;
    const renewed = await beginSetup(db, { userId: user.id, sessionId }, clock.now());
    if (renewed !== undefined) writeUserSession(needs, response, renewed);
    redirect(response, 303, `${TWO_STEP_PATH}/set-up`);
  });
}

function showSetup(needs: Services) {
  return areaPage(needs, async (area) => {
    await sendSetup(needs, area, { endsOtherSessions: true });
  });
}

/** Sends the page with the secret, with the status 400 if there are errors. */
async function sendSetup(
  needs: Services,
  { user, frame, request, response }: AreaRequest<Params>,
  state: { endsOtherSessions: boolean; errors?: readonly FormError[] },
): Promise<void> {
  const session = await findCurrentSession(needs, request, user.id);
  const key = session && { userId: user.id, sessionId: session.sessionId };
  const secret = key && (await findSetup(needs.db, key, needs.clock.now()));
  if (secret === undefined) return redirect(response, 303, TWO_STEP_PATH);
  const { authenticator } = needs.signInChoices;
  const account = user.email ?? user.name ?? user.id;
  const address = await totpAddress({ secret, issuer: needs.site.brand.name, account });
  const qrCode = await qrCodeRows(address);
  const html = twoStepSetupPage({
    frame,
    secret,
    address,
    qrCode,
    ...state,
    authenticator: authenticator && {
      name: authenticator.name,
      href: authenticator.href(user.email ?? undefined),
    },
  });
  sendPage(response, html, { status: state.errors === undefined ? 200 : 400 });
}

function confirm(needs: Services) {
  const { db, clock } = needs;
  return areaForm(needs, TWO_STEP_PATH, async (area) => {
    const { user, frame, form, request, response } = area;
    const session = await findCurrentSession(needs, request, user.id);
    if (session === undefined) return redirect(response, 303, TWO_STEP_PATH);
    const endsOtherSessions = form.has('others');
    const { sessionId } = session;
    const code = form.get('code') ?? '';
    const confirmation = { userId: user.id, sessionId, code, endsOtherSessions, ...placeOf(request) };
    const result = await confirmSetup(db, confirmation, clock.now());
    if (result.kind === 'expired') return redirect(response, 303, `${TWO_STEP_PATH}?done=setup-expired`);
    if (result.kind === 'wrong') {
      const message =
        'This is not the current code of the app. Check that its clock is right, then try again.';
      return await sendSetup(needs, area, { endsOtherSessions, errors: [{ field: 'code', message }] });
    }
    const { provenSecret } = result;
    writeProvenSecret(needs, response, { userId: user.id, provenSecret });
    logAccountChange(needs, area, 'Two-step sign-in was turned on');
    sendPage(response, recoveryCodesPage({ frame, codes: result.recoveryCodes, isNew: true }));
  });
}

function askForFactor({ db, ...needs }: Services, change: GuardedChange) {
  return areaPage({ db, ...needs }, async ({ user, frame, response }) => {
    const { onSince } = await readTwoStepState(db, user.id);
    if (onSince === null) return redirect(response, 303, TWO_STEP_PATH);
    sendPage(response, secondFactorPage({ frame, change }));
  });
}

function turnOff(needs: Services) {
  const { db, clock } = needs;
  return areaForm(needs, TWO_STEP_PATH, async (area) => {
    const result = await turnTwoStepOff(db, enteredFactor(needs, area), clock.now());
    if (result.kind !== 'correct') return sendRejection(needs, area, { change: 'turn-off', result });
    logAccountChange(needs, area, 'Two-step sign-in was turned off');
    redirect(area.response, 303, `${TWO_STEP_PATH}?done=${DONE_OFF}`);
  });
}

function renewCodes(needs: Services) {
  const { db, clock } = needs;
  return areaForm(needs, TWO_STEP_PATH, async (area) => {
    const result = await renewRecoveryCodes(db, enteredFactor(needs, area), clock.now());
    if (result.kind !== 'renewed') return sendRejection(needs, area, { change: 'recovery-codes', result });
    logAccountChange(needs, area, 'Recovery codes were replaced');
    const { frame, response } = area;
    sendPage(response, recoveryCodesPage({ frame, codes: result.recoveryCodes, isNew: false }));
  });
}

function enteredFactor(needs: Services, { user, form, request }: AreaForm<Params>): EnteredFactor {
  const provenSecret = readProvenSecret(needs, request, user.id);
  return { userId: user.id, code: form.get('code') ?? '', provenSecret, ...placeOf(request) };
}

interface Rejection {
  change: GuardedChange;
  result: Exclude<SecondFactorResult, { kind: 'correct' }>;
}

function sendRejection(needs: Services, area: AreaForm<Params>, { change, result }: Rejection): void {
  const { frame, response } = area;
  if (result.kind === 'off') {
    redirect(response, 303, TWO_STEP_PATH);
    return;
  }
  logAccountChange(needs, area, 'A second factor was rejected', { reason: result.kind });
  if (result.kind === 'exhausted') {
    const action = { href: `${TWO_STEP_PATH}/${change}`, label: 'Use a recovery code' };
    const { availableAt } = result;
    sendTooManySecondFactors(response, { availableAt, now: needs.clock.now(), action });
    return;
  }
  const errors = rejectedCode(result.kind);
  sendPage(response, secondFactorPage({ frame, change, errors }), { status: 400 });
}

interface RecoveryCodesPageProps {
  frame: AreaFrame;
  codes: readonly string[];
  /** True if two-step sign-in has just been turned on. */
  isNew: boolean;
}

export function recoveryCodesPage({ frame, codes, isNew }: RecoveryCodesPageProps): Page {
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: TWO_STEP_PATH,
    title: 'Your recovery codes',
    notice: isNew
      ? 'Two-step sign-in is on.'
      : 'New recovery codes created. The earlier ones no longer work.',
    lead: 'Save these codes now. This page is the only one that shows them.',
    children: (
      <Panel id="codes" heading="Keep them where you don’t need your phone">
        <div class="stack">
          <CodeBlock label="Recovery codes" text={codes.join('\n')} />
          <ul class="notes">
            <li>If you lose your app, enter one of them in place of the app’s code.</li>
            <li>Each code works once.</li>
            <li>Print them, or save them in a password manager. Don’t keep them in your mailbox.</li>
          </ul>
          <div class="form-actions">
            <ButtonLink kind="primary" href={TWO_STEP_PATH}>
              I have saved the codes
            </ButtonLink>
          </div>
        </div>
      </Panel>
    ),
  });
}
