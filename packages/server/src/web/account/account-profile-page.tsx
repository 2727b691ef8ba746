import { AccountField, type AreaFrame, renderAreaPage } from '../ui/area-page.js';
import type { FormFault } from '../ui/error-summary.js';
import { TextField } from '../ui/form-field.js';
import type { Page } from '../ui/site.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

/** Props of {@link accountProfilePage}. */
export interface AccountProfilePageProps {
  frame: AreaFrame;
  /** What stands in the field. */
  name: string;
  notice?: string | undefined;
  faults?: readonly FormFault[] | undefined;
}

/** The person's name and address: `POST /account/profile` with `name`; empty takes the name away. */
export function accountProfilePage(props: AccountProfilePageProps): Page {
  const { frame, faults } = props;
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: '/account/profile',
    title: 'Profile',
    notice: props.notice,
    faults,
    children: (
      <form class="panel form" method="post" action="/account/profile">
        <AccountField account={frame.account} />
        <TextField
          name="name"
          label="Name"
          hint="What this service calls you, and what the owners of your communities see. Apps do not get it."
          value={props.name}
          autoComplete="name"
          faults={faults}
        />
        <dl class="facts">
          <dt>E-mail</dt>
          <dd>
            {frame.user.email === null ? (
              'None: you were registered by a messenger account.'
            ) : (
              <bdi>{frame.user.email}</bdi>
            )}
          </dd>
        </dl>
        <p class="field-hint">Sign-in codes go to this address. Apps that you allow see it.</p>
        <div class="form-actions">
          <button class="button primary" type="submit">
            Save
          </button>
        </div>
      </form>
    ),
  });
}
