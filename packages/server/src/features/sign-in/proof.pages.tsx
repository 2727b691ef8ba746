import type { Needs } from '../../app/services.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { phrase, t } from '../../platform/language/language.js';
import type { AreaForm, AreaRequest } from '../../web/kit/areas/area-routes.js';
import { signInPath } from '../../web/kit/areas/continue-path.js';
import { findCurrentSession, placeOf } from '../../web/kit/areas/user-session.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { AccountField, Button, ButtonLink, type FormError } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { isRecentSignIn } from '../sessions/sessions.js';
import { type EnteredProof, readTwoStepState, type UserProof } from '../two-step/second-factor.js';
import { readProvenSecret } from './second-step.routes.js';
import { sendTooManySecondFactors } from './too-many-codes.pages.js';

/** Proof that a form needs from its user. `sign-in`: the sign-in is too long ago. */
export type NeededProof = 'none' | 'code' | 'sign-in';

/** Returns the proof that `proveUser` needs for a request. */
export async function neededProof(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  { user, request }: AreaRequest,
): Promise<NeededProof> {
  if ((await readTwoStepState(needs.db, user.id)).onSince !== null) return 'code';
  const session = await findCurrentSession(needs, request, user.id);
  return session !== undefined && isRecentSignIn(session.signedInAt, needs.clock.now()) ? 'none' : 'sign-in';
}

/** Reads the proof of a form with {@link SecondFactorField}, or without it; `undefined` if the session has ended. */
export async function enteredProof(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  { user, form, request }: AreaForm,
): Promise<EnteredProof | undefined> {
  const session = await findCurrentSession(needs, request, user.id);
  if (session === undefined) return undefined;
  const provenSecret = readProvenSecret(needs, request, user.id);
  const { sessionId } = session;
  return { userId: user.id, sessionId, code: form.get('code') ?? '', provenSecret, ...placeOf(request) };
}

/**
 * Answers a form whose proof was rejected.
 *
 * @param form.path Its page, which explains what is missing.
 * @param form.again Renders it with the errors.
 */
export function answerRejected<Answer extends Page | Promise<Page>>(
  needs: Needs<'clock' | 'logger'>,
  area: AreaForm,
  rejected: Exclude<UserProof, { kind: 'proven' }>,
  { path, again }: { path: string; again: (errors: readonly FormError[]) => Answer },
): Answer | string | undefined {
  if (rejected.kind === 'must-sign-in') return path;
  logAccountChange(needs, area, 'A second factor was rejected', { reason: rejected.kind });
  if (rejected.kind !== 'exhausted') return again(rejectedCode(rejected.kind));
  sendTooManySecondFactors(area.response, {
    ...{ availableAt: rejected.availableAt, now: needs.clock.now() },
    action: { href: path, label: t('Use a recovery code') },
  });
  return undefined;
}

/**
 * Logs a change of a user's account with the user and the client's address, so that an operator can investigate it. A change that
 * was rejected is a warning.
 *
 * @param facts.reason reason of the rejection.
 */
export function logAccountChange(
  { logger }: Needs<'logger'>,
  { user, request, response }: AreaRequest,
  message: string,
  facts: { reason?: string } = {},
): void {
  const fields = { ...requestFacts(request, response), ip: request.ip, userId: user.id, ...facts };
  if (facts.reason === undefined) logger.info(fields, message);
  else logger.warn(fields, message);
}

/** Form that leads through a new sign-in and back. */
export function SignInAgain({
  continueTo,
  cancelHref,
  reason = t('For your security, this needs a sign-in of the last ten minutes.'),
}: {
  continueTo: string;
  cancelHref?: string;
  reason?: string;
}) {
  return (
    <>
      <p>{reason}</p>
      <form class="form-actions" method="post" action="/sign-out" data-at-once>
        <AccountField />
        <input type="hidden" name="continue" value={signInPath(continueTo)} />
        <Button kind="primary">{t('Sign in again')}</Button>
        {cancelHref !== undefined && <ButtonLink href={cancelHref} label={t('Cancel')} />}
      </form>
    </>
  );
}

/** {@link SignInAgain} as a part of a page of its own. */
export function SignInAgainPanel(props: { continueTo: string; cancelHref: string }) {
  return (
    <Panel id="sign-in-again">
      <div class="stack">
        <SignInAgain {...props} />
      </div>
    </Panel>
  );
}

/** Field for the second factor with which a signed-in user proves a change: `code`. */
export function SecondFactorField() {
  return (
    <TextField
      name="code"
      label={t('Code from your app, or a recovery code')}
      value=""
      required
      maxLength={64}
      autoComplete="one-time-code"
      spellcheck={false}
    />
  );
}

const MESSAGES = {
  used: phrase('This code was already used. Wait until your app shows the next one.'),
  wrong: phrase('This is neither the current code of your app nor an unused recovery code.'),
} as const;

/** Returns the errors of a form whose code was rejected. */
function rejectedCode(reason: keyof typeof MESSAGES): readonly FormError[] {
  return [{ field: 'code', message: t(MESSAGES[reason]) }];
}
