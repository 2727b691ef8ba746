import type { ComponentChildren, ComponentProps } from 'preact';
import type { Needs } from '../../app/services.js';
import { requestFacts } from '../../platform/http/request-log.js';
import { phrase, t } from '../../platform/language/language.js';
import { PROFILE_PATH } from '../../web/kit/areas/account-area.js';
import type { AreaAnswer, AreaForm, AreaRequest } from '../../web/kit/areas/area-routes.js';
import { signInPath } from '../../web/kit/areas/continue-path.js';
import { SELLER_PATH } from '../../web/kit/areas/seller-area.js';
import { findCurrentSession, placeOf } from '../../web/kit/areas/user-session.js';
import { renderAreaPage } from '../../web/kit/frame/area-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import {
  AccountField,
  Button,
  ButtonLink,
  type FormError,
  PostForm,
} from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { isRecentSignIn } from '../sessions/sessions.js';
import { type EnteredProof, readTwoStepState, type UserProof } from '../two-step/second-factor.js';
import { readProvenSecret } from './second-step.routes.js';
import { sendTooManySecondFactors } from './too-many-codes.pages.js';

/** Proof that a form needs from its user. `sign-in`: the last sign-in is too long ago. */
export type NeededProof = 'none' | 'code' | 'sign-in';

export async function neededProof(needs: Needs<'baseUrl' | 'clock' | 'db'>, { user, request }: AreaRequest) {
  if ((await readTwoStepState(needs.db, user.id)).onSince !== null) return 'code';
  const session = await findCurrentSession(needs, request, user.id);
  return session !== undefined && isRecentSignIn(session.signedInAt, needs.clock.now()) ? 'none' : 'sign-in';
}

type RejectedProof = Exclude<UserProof, { kind: 'proven' }>;

/** `act` makes the change, and returns where to go, or why the proof was rejected. The page at `path` explains it. */
export async function actWithProof(
  needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>,
  area: AreaForm,
  form: {
    path: string;
    again: (errors: readonly FormError[]) => Promise<Page>;
    act: (proof: EnteredProof) => Promise<AreaAnswer | RejectedProof>;
  },
): Promise<AreaAnswer> {
  const entered = await enteredProof(needs, area);
  if (entered === undefined) return form.path;
  const answer = await form.act(entered);
  return typeof answer === 'object' && 'kind' in answer ? answerRejected(needs, area, answer, form) : answer;
}

/** Reads the proof of a form with {@link SecondFactorField}, or without it; `undefined` if the session has ended. */
export async function enteredProof(needs: Needs<'baseUrl' | 'clock' | 'db'>, area: AreaForm) {
  const session = await findCurrentSession(needs, area.request, area.user.id);
  return session && { sessionId: session.sessionId, ...enteredFactor(needs, area) };
}

export function enteredFactor(host: Needs<'baseUrl'>, { user, form, request }: AreaForm) {
  const provenSecret = readProvenSecret(host, request, user.id);
  return { userId: user.id, code: form.get('code') ?? '', provenSecret, ...placeOf(request) };
}

export function answerRejected<Answer extends Page | Promise<Page>>(
  needs: Needs<'clock' | 'logger'>,
  area: AreaForm,
  rejected: RejectedProof,
  { path, again }: { path: string; again: (errors: readonly FormError[]) => Answer },
): Answer | string | undefined {
  if (rejected.kind === 'must-sign-in') return path;
  logAccountChange(needs, area, 'A second factor was rejected', { reason: rejected.kind });
  if (rejected.kind !== 'exhausted') return again([{ field: 'code', message: t(MESSAGES[rejected.kind]) }]);
  sendTooManySecondFactors(area.response, {
    ...{ availableAt: rejected.availableAt, now: needs.clock.now() },
    action: { href: path, label: t('Use a recovery code') },
  });
  return undefined;
}

/** For operators who investigate a change of an account. A rejected one has a reason, and is a warning. */
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

/**
 * Asks for a new sign-in if the last one is too long ago for what could take a community from its owner for good. True
 * if it did: nothing else must happen then.
 */
export async function asksToSignIn(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  { frame, request, response, user }: AreaForm,
  continueTo: string,
): Promise<boolean> {
  const session = await findCurrentSession(needs, request, user.id);
  if (session !== undefined && isRecentSignIn(session.signedInAt, needs.clock.now())) return false;
  const page = renderAreaPage({
    ...{ frame, area: 'seller', section: SELLER_PATH, title: t('Sign in again') },
    sections: [{ href: SELLER_PATH, label: t('Home') }],
    children: (
      <Panel>
        <div class="stack">
          <SignInAgain continueTo={continueTo} cancelHref={SELLER_PATH} />
        </div>
      </Panel>
    ),
  });
  sendPage(response, page, { status: 403 });
  return true;
}

/** Asks for a new sign-in if the last one is too long ago, else for the change, with a second factor if that's on. */
export function Confirmation(
  props: Pick<ComponentProps<typeof PostForm>, 'submit' | 'kind' | 'cancelKind' | 'children'> & {
    path: string;
    proof: NeededProof;
    about: ComponentChildren;
  },
) {
  const { path, proof, about, children, ...form } = props;
  return (
    <>
      {proof === 'sign-in' && (
        <Panel id="sign-in-again">
          <div class="stack">
            <SignInAgain continueTo={path} cancelHref={PROFILE_PATH} />
          </div>
        </Panel>
      )}
      {about}
      {proof !== 'sign-in' && (
        <PostForm isPanel action={path} cancelHref={PROFILE_PATH} {...form}>
          {children}
          {proof === 'code' && <SecondFactorField />}
        </PostForm>
      )}
    </>
  );
}

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
