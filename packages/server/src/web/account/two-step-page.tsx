import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import { Button, ButtonLink } from '../ui/parts/button.js';
import { Panel } from '../ui/parts/panel.js';
import { Pill } from '../ui/parts/pill.js';
import { Time } from '../ui/parts/time.js';
import { ACCOUNT_SECTIONS, TWO_STEP_PATH } from './account-sections.js';

/** Number of recovery codes from which on the page recommends new ones. */
const FEW_CODES = 3;

export interface TwoStepPageProps {
  frame: AreaFrame;
  /** Milliseconds since the epoch; null if two-step sign-in is off. */
  onSince: number | null;
  recoveryCodesLeft: number;
  /** True if the sign-in is too long ago to set it up. */
  mustSignInAgain: boolean;
  notice?: string | undefined;
}

/**
 * State of two-step sign-in. `POST /account/two-step/set-up` starts a set-up. After an old sign-in, `POST /sign-out` leads
 * through a new one and back.
 */
export function twoStepPage(props: TwoStepPageProps): Page {
  const { frame, onSince } = props;
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: TWO_STEP_PATH,
    title: 'Two-step sign-in',
    lead: 'After the e-mailed code, we also ask for a code from an app on your phone. Someone who can read your e-mail then still can’t sign in as you.',
    notice: props.notice,
    children:
      onSince === null ? (
        <Off {...props} />
      ) : (
        <On onSince={onSince} recoveryCodesLeft={props.recoveryCodesLeft} />
      ),
  });
}

function Off({ frame, mustSignInAgain }: TwoStepPageProps) {
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
          <>
            <p>For your security, this needs a sign-in of the last ten minutes.</p>
            <form class="form-actions" method="post" action="/sign-out">
              <input
                type="hidden"
                name="continue"
                value={`/sign-in?${new URLSearchParams({ continue: TWO_STEP_PATH })}`}
              />
              <Button kind="primary">Sign in again</Button>
            </form>
          </>
        ) : (
          <form class="form-actions" method="post" action={`${TWO_STEP_PATH}/set-up`}>
            <AccountField account={frame.account} />
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
        actions={
          <ButtonLink kind="danger" isSmall href={`${TWO_STEP_PATH}/turn-off`}>
            Turn off
          </ButtonLink>
        }
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
        actions={
          <ButtonLink isSmall href={`${TWO_STEP_PATH}/recovery-codes`}>
            Get new codes
          </ButtonLink>
        }
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
