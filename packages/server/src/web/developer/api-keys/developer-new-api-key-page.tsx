import { PERMISSIONS, SELECTABLE_PERMISSIONS } from '@latchkey/contract/constants';
import { AccountField, type AreaFrame, renderAreaPage } from '../../ui/area-page.js';
import type { FormError } from '../../ui/error-summary.js';
import { ChoiceGroup, TextField } from '../../ui/form-field.js';
import type { Page } from '../../ui/site.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import { PERMISSION_WORDING } from './permission-wording.js';

/** Props of {@link developerNewApiKeyPage}. */
export interface DeveloperNewApiKeyPageProps {
  frame: AreaFrame;
  /** Names the form, so that it is taken once. */
  submission: string;
  /** Whether MEMBERSHIP_PROVISION can be chosen. */
  mayProvision: boolean;
  /** What was typed. */
  name: string;
  permissions: readonly string[];
  errors?: readonly FormError[] | undefined;
}

/** Asks for a new key's name and permissions: `POST /developer/api-keys` with `name` and every chosen `permissions`. */
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
          hint="For you to know the key by, such as the program that will use it."
          value={props.name}
          errors={errors}
        />
        <ChoiceGroup
          type="checkbox"
          name="permissions"
          label="Permissions"
          hint="They cannot be changed afterwards. Choose what the program needs, and no more."
          errors={errors}
          choices={offered.map((permission) => ({
            value: permission,
            label: permission,
            hint: PERMISSION_WORDING[permission],
            checked: props.permissions.includes(permission),
          }))}
        />
        <div class="form-actions">
          <button class="button primary" type="submit">
            Create the key
          </button>
          <a href="/developer/api-keys">Cancel</a>
        </div>
      </form>
    ),
  });
}
