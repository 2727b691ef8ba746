import { phrase, t } from '../../platform/language/language.js';
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
import { Notes, Panel } from '../../web/kit/parts/panel.js';
import { CodeBlock, Pill, Time } from '../../web/kit/parts/values.js';
import { SecondFactorField, SignInAgain } from '../sign-in/proof.pages.js';

/** The page recommends new recovery codes when this many or fewer are left. */
const FEW_CODES = 3;

interface TwoStepPageProps extends PageProps {
  onSince: number | null;
  recoveryCodesLeft: number;
  /** True if the last sign-in is too long ago to set it up. */
  mustSignInAgain: boolean;
}

export function twoStepPage(props: TwoStepPageProps): Page {
  const { onSince } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(TWO_STEP_PATH),
    title: t('Two-step sign-in'),
    lead: t(
      'After the e-mailed code, we also ask for a code from an app on your phone. Someone who can read your e-mail then still can’t sign in as you.',
    ),
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
          {t('Authenticator app')} <Pill tone="neutral">{t('Off')}</Pill>
        </span>
      }
    >
      <div class="stack">
        <p>
          {t(
            'You need an authenticator app, such as the password manager of your phone or computer. Any app for time-based codes (TOTP) works. You also receive ten recovery codes in case you lose it.',
          )}
        </p>
        {mustSignInAgain ? (
          <SignInAgain continueTo={TWO_STEP_PATH} />
        ) : (
          <form class="form-actions" method="post" action={`${TWO_STEP_PATH}/set-up`}>
            <AccountField />
            <Button kind="primary">{t('Set up two-step sign-in')}</Button>
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
            {t('Authenticator app')} <Pill tone="good">{t('On')}</Pill>
          </span>
        }
        actions={
          <ButtonLink kind="danger" isSmall href={`${TWO_STEP_PATH}/turn-off`} label={t('Turn off')} />
        }
      >
        <div class="stack">
          <p>{t('On since {date}.', { date: <Time at={onSince} /> })}</p>
          <p class="muted">{t('To use another app or phone, turn it off and set it up again.')}</p>
        </div>
      </Panel>
      <Panel
        id="recovery-codes"
        heading={t('Recovery codes')}
        actions={<ButtonLink isSmall href={`${TWO_STEP_PATH}/recovery-codes`} label={t('Get new codes')} />}
      >
        <div class="stack">
          <p>
            {recoveryCodesLeft === 0
              ? t('You have no recovery codes left.')
              : t('You have {count} recovery codes left.', { count: recoveryCodesLeft })}
            {recoveryCodesLeft <= FEW_CODES && ` ${t('Get new ones before you need them.')}`}
          </p>
          <p class="muted">
            {t(
              'Each code signs you in once without your app. We only store what is needed to check them, so we can’t show them again.',
            )}
          </p>
        </div>
      </Panel>
    </>
  );
}

export type GuardedChange = 'turn-off' | 'recovery-codes';

const WORDING: Readonly<
  Record<GuardedChange, { title: string; consequences: readonly string[]; button: string }>
> = {
  'turn-off': {
    title: phrase('Turn off two-step sign-in?'),
    consequences: [
      phrase('Everyone who can read your e-mail can then sign in as you.'),
      phrase('Your recovery codes stop working.'),
      phrase('Your app still shows codes for this account. You can remove them there.'),
    ],
    button: phrase('Turn off two-step sign-in'),
  },
  'recovery-codes': {
    title: phrase('Get new recovery codes?'),
    consequences: [phrase('You receive ten new codes.'), phrase('Your earlier recovery codes stop working.')],
    button: phrase('Get new recovery codes'),
  },
};

export function secondFactorPage(
  frame: AreaFrame,
  change: GuardedChange,
  errors?: readonly FormError[] | undefined,
): Page {
  const { title, consequences, button } = WORDING[change];
  return renderAreaPage({
    frame,
    ...inAccount(TWO_STEP_PATH),
    title: t(title),
    parent: 'section',
    errors,
    children: (
      <PostForm
        isPanel
        action={`${TWO_STEP_PATH}/${change}`}
        submit={t(button)}
        kind={change === 'turn-off' ? 'danger' : 'primary'}
        cancelHref={TWO_STEP_PATH}
        cancelKind="secondary"
      >
        <Notes notes={consequences.map((consequence) => t(consequence))} />
        <SecondFactorField />
      </PostForm>
    ),
  });
}

export function recoveryCodesPage(frame: AreaFrame, codes: readonly string[], isNew: boolean): Page {
  return renderAreaPage({
    frame,
    ...inAccount(TWO_STEP_PATH),
    title: t('Your recovery codes'),
    notice: t(
      isNew ? 'Two-step sign-in is on.' : 'New recovery codes created. The earlier ones no longer work.',
    ),
    lead: t('Save these codes now. This page is the only one that shows them.'),
    children: (
      <Panel id="codes" heading={t('Keep them where you don’t need your phone')}>
        <div class="stack">
          <CodeBlock label={t('Recovery codes')} text={codes.join('\n')} />
          <Notes
            notes={[
              t('If you lose your app, enter one of them in place of the app’s code.'),
              t('Each code works once.'),
              t('Print them, or save them in a password manager. Don’t keep them in your mailbox.'),
            ]}
          />
          <div class="form-actions">
            <ButtonLink kind="primary" href={TWO_STEP_PATH} label={t('I have saved the codes')} />
          </div>
        </div>
      </Panel>
    ),
  });
}
