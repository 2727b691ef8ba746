import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import type { FormError } from '../ui/parts/error-summary.js';
import { TextField } from '../ui/parts/form-field.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

/** Props of {@link accountProfilePage}. */
export interface AccountProfilePageProps {
  frame: AreaFrame;
  /** Raw value of the field. */
  name: string;
  notice?: string | undefined;
  errors?: readonly FormError[] | undefined;
}

/** The person's name and address: `POST /account/profile` with `name`; empty takes the name away. */
export function accountProfilePage(props: AccountProfilePageProps): Page {
  const { frame, errors } = props;
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: '/account/profile',
    title: 'Profile',
    notice: props.notice,
    errors,
    children: (
      <form class="panel form" method="post" action="/account/profile">
        <AccountField account={frame.account} />
        <TextField
          name="name"
          label="Name"
          hint="Shown to you and to the owners of your communities. Apps don't receive it."
          value={props.name}
          autoComplete="name"
          errors={errors}
        />
        <dl class="facts">
          <dt>E-mail</dt>
          <dd>
            {frame.user.email === null ? (
              'None. Your account was created with a messenger account.'
            ) : (
              <bdi>{frame.user.email}</bdi>
            )}
          </dd>
        </dl>
        <p class="field-hint">We send sign-in codes to this address. Apps that you allow receive it.</p>
        <div class="form-actions">
          <button class="button primary" type="submit">
            Save name
          </button>
        </div>
      </form>
    ),
  });
}
