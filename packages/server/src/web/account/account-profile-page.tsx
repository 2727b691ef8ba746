import { type AreaFrame, displayName, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import { Button, ButtonLink } from '../ui/parts/button.js';
import type { FormError } from '../ui/parts/error-summary.js';
import { TextField } from '../ui/parts/form-field.js';
import { Panel } from '../ui/parts/panel.js';
import { Avatar } from '../ui/parts/picture.js';
import { ACCOUNT_SECTIONS, DELETE_ACCOUNT_PATH } from './account-sections.js';

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
      <>
        <Identity frame={frame} />
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
          <div class="form-actions">
            <Button kind="primary">Save name</Button>
          </div>
        </form>
        <Panel id="deletion" heading="Delete account" tone="danger">
          <p class="muted">Ends your memberships and deletes your data. You can’t undo it.</p>
          <div class="panel-actions">
            <ButtonLink kind="danger" href={DELETE_ACCOUNT_PATH}>
              Delete account…
            </ButtonLink>
          </div>
        </Panel>
      </>
    ),
  });
}

function Identity({ frame }: { frame: AreaFrame }) {
  const { email } = frame.user;
  return (
    <Panel id="identity">
      <div class="profile">
        <Avatar name={displayName(frame.user)} size="large" />
        <div class="profile-text">
          <h2>
            <bdi>{displayName(frame.user)}</bdi>
          </h2>
          {email === null ? (
            <p class="muted">No e-mail address. Your account was created with a messenger account.</p>
          ) : (
            <>
              {frame.user.name !== undefined && (
                <p>
                  <bdi>{email}</bdi>
                </p>
              )}
              <p class="muted">We send sign-in codes to this address. Apps that you allow receive it.</p>
            </>
          )}
        </div>
      </div>
    </Panel>
  );
}
