import type { Request, Router } from 'express';
import type { Services } from '../../app/services.js';
import { t } from '../../platform/language/language.js';
import { accountNotice, inAccount, TWO_STEP_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import {
  findCurrentSession,
  placeOf,
  sessionIdsIn,
  writeUserSession,
} from '../../web/kit/areas/user-session.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { Switch, TextField } from '../../web/kit/parts/form-field.js';
import { AccountField, Button, ButtonLink, type FormError } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { CopyField } from '../../web/kit/parts/values.js';
import { isRecentSignIn } from '../sessions/sessions.js';
import { rememberThisBrowser } from '../sign-in/known-browser.pages.js';
import { answerRejected, enteredFactor, logAccountChange } from '../sign-in/proof.pages.js';
import { writeProvenSecret } from '../sign-in/second-step.routes.js';
import { CODE_FIELD, CodePlace, type CodeSource, codeSourceOf } from '../sign-in/sign-in-card.pages.js';
import { totpAddress } from './authenticator-app.js';
import { readTwoStepState, type SecondFactorResult } from './second-factor.js';
import { type GuardedChange, recoveryCodesPage, secondFactorPage, twoStepPage } from './two-step.pages.js';
import {
  beginSetup,
  confirmSetup,
  findSetup,
  renewRecoveryCodes,
  turnTwoStepOff,
} from './two-step-settings.js';

const DONE_OFF = 'two-step-off';

export function twoStepRoutes(needs: Services): Router {
  const { db, clock } = needs;
  return areaRoutes(needs, TWO_STEP_PATH, {
    [TWO_STEP_PATH]: { get: show },
    [`${TWO_STEP_PATH}/set-up`]: { get: (area) => setupPage(area, true), post: startSetup },
    [`${TWO_STEP_PATH}/confirm`]: { post: confirm },
    [`${TWO_STEP_PATH}/turn-off`]: { get: (area) => askForFactor(area, 'turn-off'), post: turnOff },
    [`${TWO_STEP_PATH}/recovery-codes`]: {
      get: (area) => askForFactor(area, 'recovery-codes'),
      post: renewCodes,
    },
  });

  async function show({ user, frame, query, request }: AreaRequest) {
    const state = await readTwoStepState(db, user.id);
    const mustSignInAgain = (await findRecentSession(request, user.id)) === undefined;
    // A link from elsewhere must not be able to claim that it's off.
    const isFalse = state.onSince !== null && query.get('done') === DONE_OFF;
    const notice = isFalse ? undefined : accountNotice(query);
    return twoStepPage({ frame, ...state, mustSignInAgain, notice });
  }

  async function findRecentSession(request: Request, userId: string) {
    const session = await findCurrentSession(needs, request, userId);
    return session && isRecentSignIn(session.signedInAt, clock.now()) ? session : undefined;
  }

  async function startSetup({ user, request, response }: AreaForm) {
    const session = await findRecentSession(request, user.id);
    const { onSince } = await readTwoStepState(db, user.id);
    // The page explains what is missing.
    if (session === undefined || onSince !== null) return TWO_STEP_PATH;
    const { sessionId } = session;
    const renewed = await beginSetup(db, { userId: user.id, sessionId }, clock.now());
    if (renewed !== undefined) {
      writeUserSession(needs, response, [renewed, ...sessionIdsIn(needs, request).others]);
    }
    return `${TWO_STEP_PATH}/set-up`;
  }

  async function setupPage(
    { user, frame, request }: AreaRequest,
    endsOtherSessions: boolean,
    errors?: readonly FormError[],
  ) {
    const session = await findCurrentSession(needs, request, user.id);
    const key = session && { userId: user.id, sessionId: session.sessionId };
    const secret = key && (await findSetup(db, key, clock.now()));
    if (secret === undefined) return TWO_STEP_PATH;
    const account = user.email ?? user.name ?? user.id;
    const address = await totpAddress({ secret, issuer: needs.site.brand.name, account });
    return twoStepSetupPage({
      frame,
      secret,
      address,
      qrCode: await qrCodeRows(address),
      endsOtherSessions,
      errors,
      authenticator: codeSourceOf(needs.signInChoices.authenticator, user.email),
    });
  }

  async function confirm(area: AreaForm) {
    const { user, frame, form, request, response } = area;
    const session = await findCurrentSession(needs, request, user.id);
    if (session === undefined) return TWO_STEP_PATH;
    const endsOtherSessions = form.has('others');
    const { sessionId } = session;
    const code = form.get('code') ?? '';
    const confirmation = { userId: user.id, sessionId, code, endsOtherSessions, ...placeOf(request) };
    const result = await confirmSetup(db, confirmation, clock.now());
    if (result.kind === 'expired') return `${TWO_STEP_PATH}?done=setup-expired`;
    if (result.kind === 'wrong') {
      const message = t(
        'This is not the current code of the app. Check that its clock is right, then try again.',
      );
      return setupPage(area, endsOtherSessions, [{ field: 'code', message }]);
    }
    const { provenSecret } = result;
    writeProvenSecret(needs, response, { userId: user.id, provenSecret });
    if (endsOtherSessions) await rememberThisBrowser(needs, area, user.email);
    logAccountChange(needs, area, 'Two-step sign-in was turned on');
    return sendPage(response, recoveryCodesPage(frame, result.recoveryCodes, true));
  }

  async function askForFactor({ user, frame }: AreaRequest, change: GuardedChange) {
    const { onSince } = await readTwoStepState(db, user.id);
    return onSince === null ? TWO_STEP_PATH : secondFactorPage(frame, change);
  }

  async function turnOff(area: AreaForm) {
    const result = await turnTwoStepOff(db, enteredFactor(needs, area), clock.now());
    if (result.kind !== 'correct') return reject(area, 'turn-off', result);
    logAccountChange(needs, area, 'Two-step sign-in was turned off');
    return `${TWO_STEP_PATH}?done=${DONE_OFF}`;
  }

  async function renewCodes(area: AreaForm) {
    const result = await renewRecoveryCodes(db, enteredFactor(needs, area), clock.now());
    if (result.kind !== 'renewed') return reject(area, 'recovery-codes', result);
    logAccountChange(needs, area, 'Recovery codes were replaced');
    return sendPage(area.response, recoveryCodesPage(area.frame, result.recoveryCodes, false));
  }

  function reject(
    area: AreaForm,
    change: GuardedChange,
    result: Exclude<SecondFactorResult, { kind: 'correct' }>,
  ) {
    if (result.kind === 'off') return TWO_STEP_PATH;
    const again = (errors: readonly FormError[]) => secondFactorPage(area.frame, change, errors);
    return answerRejected(needs, area, result, { path: `${TWO_STEP_PATH}/${change}`, again });
  }
}

/** Light modules around a QR code (ISO/IEC 18004). */
const BORDER = 4;

/** Returns the modules of a QR code by row, true for dark. The library is loaded with the first QR code. */
async function qrCodeRows(text: string): Promise<readonly (readonly boolean[])[]> {
  const { encode } = await import('uqr');
  return encode(text, { ecc: 'M', border: BORDER }).data;
}

/** Side of the image, in CSS pixels. It fits a 320 px wide phone. */
const SIDE = 200;

/** QR code as an image in the page. It's dark on light in every color scheme, as some readers require. */
function QrCode(props: { label: string; rows: readonly (readonly boolean[])[] }) {
  const { label, rows } = props;
  const size = rows.length;
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      width={SIDE}
      height={SIDE}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={rows.map(rowPath).join('')} />
    </svg>
  );
}

/** Returns the dark modules of a row, each run of them as one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue;
    const start = x;
    while (row[x + 1] === true) x += 1;
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`;
  }
  return path;
}

const GROUP = /.{4}(?=.)/g;

interface SetupPageProps extends PageProps {
  secret: string;
  address: string;
  qrCode: readonly (readonly boolean[])[];
  endsOtherSessions: boolean;
  /** Link to a page that shows the current codes of test users. @default none */
  authenticator?: CodeSource | undefined;
}

export function twoStepSetupPage(props: SetupPageProps): Page {
  return renderAreaPage({
    ...props,
    ...inAccount(TWO_STEP_PATH),
    title: t('Set up two-step sign-in'),
    parent: 'section',
    children: (
      <>
        <AddAccount {...props} />
        <form class="panel form" method="post" action={`${TWO_STEP_PATH}/confirm`} aria-labelledby="confirm">
          <h2 id="confirm">{t('2. Enter the code from the app')}</h2>
          <AccountField />
          <TextField name="code" label={t('Six-digit code')} hint={<CodeHint {...props} />} {...CODE_FIELD} />
          <Switch
            name="others"
            label={t('Sign out of all other browsers')}
            hint={t('Recommended: sessions that exist already did not need your app.')}
            checked={props.endsOtherSessions}
          />
          <div class="form-actions">
            <Button kind="primary">{t('Turn on two-step sign-in')}</Button>
            <ButtonLink href={TWO_STEP_PATH} label={t('Cancel')} />
          </div>
        </form>
      </>
    ),
  });
}

function CodeHint({ authenticator }: SetupPageProps) {
  return (
    <>
      {t('The app shows a new code every 30 seconds.')}
      {authenticator !== undefined && (
        <>
          {' '}
          <CodePlace source={authenticator} kind="app" />
        </>
      )}
    </>
  );
}

function AddAccount({ secret, address, qrCode }: SetupPageProps) {
  return (
    <Panel id="add" heading={t('1. Add your account to the app')}>
      <div class="two-step-setup">
        <QrCode
          label={t('QR code for your authenticator app. The key beside it is the same as text.')}
          rows={qrCode}
        />
        <div class="stack">
          <p>{t('Scan the picture with your authenticator app.')}</p>
          <CopyField
            label={t('Or enter this key')}
            hint={t('Type: time-based. Spaces don’t matter.')}
            value={secret.replace(GROUP, '$& ')}
            isSecret
          />
          <p>
            {t('Is the app on this device?')} <a href={address}>{t('Open the app')}</a>
          </p>
          <p class="muted">
            {t('Don’t show the key or the picture to anyone. This page is valid for ten minutes.')}
          </p>
        </div>
      </div>
    </Panel>
  );
}
