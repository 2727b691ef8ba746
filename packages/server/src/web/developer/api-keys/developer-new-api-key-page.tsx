import { PERMISSIONS, SELECTABLE_PERMISSIONS } from '@latchkey/contract/constants';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { ChoiceGroup, TextField } from '../../ui/parts/form-field.js';
import { UNTRANSLATED } from '../../ui/parts/untranslated.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import { PERMISSION_WORDING } from './permission-wording.js';

/** Props of {@link developerNewApiKeyPage}. */
export interface DeveloperNewApiKeyPageProps {
  frame: AreaFrame;
  /** Id of the form, so that it is processed only once. */
  submission: string;
  /** True if MEMBERSHIP_PROVISION is offered. */
  mayProvision: boolean;
  /** Raw values of the form. */
  name: string;
  permissions: readonly string[];
  errors?: readonly FormError[] | undefined;
}

/** Renders the form of a new key: `POST /developer/api-keys` with `name` and `permissions`. */
export function developerNewApiKeyPage(props: DeveloperNewApiKeyPageProps): Page {
  const { frame, errors } = props;
  const offered = props.mayProvision ? PERMISSIONS : SELECTABLE_PERMISSIONS;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/api-keys',
    title: 'Create an API key',
    parent: { href: '/developer/api-keys', label: 'API keys' },
    errors,
    children: (
      <form class="panel form" method="post" action="/developer/api-keys">
        <AccountField account={frame.account} />
        <input type="hidden" name="submission" value={props.submission} />
        <TextField
          name="name"
          label="Name"
          hint="Helps you recognise the key, for example the name of the program that uses it."
          value={props.name}
          errors={errors}
        />
        <ChoiceGroup
          type="checkbox"
          name="permissions"
          label="Permissions"
          hint="You can't change them later. Choose only what the program needs."
          errors={errors}
          choices={offered.map((permission) => ({
            value: permission,
            label: <span {...UNTRANSLATED}>{permission}</span>,
            hint: PERMISSION_WORDING[permission],
            checked: props.permissions.includes(permission),
          }))}
        />
        <div class="form-actions">
          <Button kind="primary">Create key</Button>
          <ButtonLink kind="quiet" href="/developer/api-keys">
            Cancel
          </ButtonLink>
        </div>
      </form>
    ),
  });
}
