import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import { Button, ButtonLink } from '../ui/parts/button.js';
import type { FormError } from '../ui/parts/error-summary.js';
import { ACCOUNT_SECTIONS, TWO_STEP_PATH } from './account-sections.js';
import { SecondFactorField } from './second-factor-field.js';

/** Change of the settings that needs a second factor. */
export type GuardedChange = 'turn-off' | 'recovery-codes';

export interface SecondFactorPageProps {
  frame: AreaFrame;
  change: GuardedChange;
  errors?: readonly FormError[] | undefined;
}

interface Wording {
  title: string;
  consequences: readonly string[];
  button: string;
}

const WORDING: Readonly<Record<GuardedChange, Wording>> = {
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
export function secondFactorPage({ frame, change, errors }: SecondFactorPageProps): Page {
  const { title, consequences, button } = WORDING[change];
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: TWO_STEP_PATH,
    title,
    parent: { href: TWO_STEP_PATH, label: 'Two-step sign-in' },
    errors,
    children: (
      <form class="panel form" method="post" action={`${TWO_STEP_PATH}/${change}`}>
        <AccountField account={frame.account} />
        <ul class="notes">
          {consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        <SecondFactorField errors={errors} />
        <div class="form-actions">
          <Button kind={change === 'turn-off' ? 'danger' : 'primary'}>{button}</Button>
          <ButtonLink href={TWO_STEP_PATH}>Cancel</ButtonLink>
        </div>
      </form>
    ),
  });
}
