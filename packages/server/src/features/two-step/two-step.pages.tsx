import { inAccount, TWO_STEP_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaFrame, type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import {
  AccountField,
  Button,
  ButtonLink,
  type FormError,
  PostForm,
} from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { CodeBlock, Pill, Time } from '../../web/kit/parts/values.js';
import { SecondFactorField, SignInAgain } from '../sign-in/proof.pages.js';

/** Number of recovery codes from which on the page recommends new ones. */
const FEW_CODES = 3;

interface TwoStepPageProps extends PageProps {
  /** Milliseconds since the epoch; null if two-step sign-in is off. */
  onSince: number | null;
  recoveryCodesLeft: number;
  /** True if the sign-in is too long ago to set it up. */
  mustSignInAgain: boolean;
}

/**
 * State of two-step sign-in. `POST /account/two-step/set-up` starts a set-up. After an old sign-in, `POST /sign-out` leads
 * through a new one and back.
 */
export function twoStepPage(props: TwoStepPageProps): Page {
  const { onSince } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(TWO_STEP_PATH),
    title: 'Two-step sign-in',
    lead: 'After the e-mailed code, we also ask for a code from an app on your phone. Someone who can read your e-mail then still can’t sign in as you.',
    children:
      onSince === null ? (
        <Off {...props} />
      ) : (
        <On onSince={onSince} recoveryCodesLeft={props.recoveryCodesLeft} />
      ),
  });
}

function Off({ mustSignInAgain }: TwoStepPageProps) {
  return (
    <Panel
      id="two-step"
      heading={
        <span class="named">
          Authenticator app <Pill tone="neutral">Off</Pill>
        </span>
      }
    >
      <div class="stack">
        <p>
          You need an authenticator app, such as the password manager of your phone or computer. Any app for
          time-based codes (TOTP) works. You also receive ten recovery codes in case you lose it.
        </p>
        {mustSignInAgain ? (
          <SignInAgain continueTo={TWO_STEP_PATH} />
        ) : (
          <form class="form-actions" method="post" action={`${TWO_STEP_PATH}/set-up`}>
            <AccountField />
            <Button kind="primary">Set up two-step sign-in</Button>
          </form>
        )}
      </div>
    </Panel>
  );
}

function On({ onSince, recoveryCodesLeft }: { onSince: number; recoveryCodesLeft: number }) {
  return (
    <>
      <Panel
        id="two-step"
        heading={
          <span class="named">
            Authenticator app <Pill tone="good">On</Pill>
          </span>
        }
        actions={<ButtonLink kind="danger" isSmall href={`${TWO_STEP_PATH}/turn-off`} label="Turn off" />}
      >
        <div class="stack">
          <p>
            On since <Time at={onSince} />.
          </p>
          <p class="muted">To use another app or phone, turn it off and set it up again.</p>
        </div>
      </Panel>
      <Panel
        id="recovery-codes"
        heading="Recovery codes"
        actions={<ButtonLink isSmall href={`${TWO_STEP_PATH}/recovery-codes`} label="Get new codes" />}
      >
        <div class="stack">
          <p>
            {codesInWords(recoveryCodesLeft)}
            {recoveryCodesLeft <= FEW_CODES && ' Get new ones before you need them.'}
          </p>
          <p class="muted">
            Each code signs you in once without your app. We only store what is needed to check them, so we
            can’t show them again.
          </p>
        </div>
      </Panel>
    </>
  );
}

function codesInWords(count: number): string {
  if (count === 0) return 'You have no recovery codes left.';
  return count === 1 ? 'You have one recovery code left.' : `You have ${count} recovery codes left.`;
}

/** Change of the settings that needs a second factor. */
export type GuardedChange = 'turn-off' | 'recovery-codes';

const WORDING: Readonly<
  Record<GuardedChange, { title: string; consequences: readonly string[]; button: string }>
> = {
  'turn-off': {
    title: 'Turn off two-step sign-in?',
    consequences: [
      'Everyone who can read your e-mail can then sign in as you.',
      'Your recovery codes stop working.',
      'Your app still shows codes for this account. You can remove them there.',
    ],
    button: 'Turn off two-step sign-in',
  },
  'recovery-codes': {
    title: 'Get new recovery codes?',
    consequences: ['You receive ten new codes.', 'Your earlier recovery codes stop working.'],
    button: 'Get new recovery codes',
  },
};

/** Asks for a second factor before a change: `POST /account/two-step/turn-off` or `…/recovery-codes` with `code`. */
export function secondFactorPage(
  frame: AreaFrame,
  change: GuardedChange,
  errors?: readonly FormError[] | undefined,
): Page {
  const { title, consequences, button } = WORDING[change];
  return renderAreaPage({
    frame,
    ...inAccount(TWO_STEP_PATH),
    title,
    parent: { href: TWO_STEP_PATH, label: 'Two-step sign-in' },
    errors,
    children: (
      <PostForm
        isPanel
        action={`${TWO_STEP_PATH}/${change}`}
        submit={button}
        kind={change === 'turn-off' ? 'danger' : 'primary'}
        cancelHref={TWO_STEP_PATH}
        cancelKind="secondary"
      >
        <ul class="notes">
          {consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        <SecondFactorField />
      </PostForm>
    ),
  });
}

/** Shows new recovery codes. They are new with two-step sign-in itself, or replace earlier ones. */
export function recoveryCodesPage(frame: AreaFrame, codes: readonly string[], isNew: boolean): Page {
  return renderAreaPage({
    frame,
    ...inAccount(TWO_STEP_PATH),
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
            <ButtonLink kind="primary" href={TWO_STEP_PATH} label="I have saved the codes" />
          </div>
        </div>
      </Panel>
    ),
  });
}
