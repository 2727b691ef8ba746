import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { ChoiceGroup, TextField } from '../../ui/parts/form-field.js';
import { renderCreationPage } from '../frame/creation-page.js';
import type { SellerPageProps } from '../frame/seller-page.js';

/** Raw values of the form of a new role. */
export interface RoleFields {
  email: string;
  role: string;
}

export interface NewRolePageProps extends SellerPageProps {
  community: AdministeredCommunity;
  fields: RoleFields;
  submission: string;
}

/** Renders the form that invites an owner or admin: `POST …/roles` with `email` and `role`. */
export function newRolePage(props: NewRolePageProps): Page {
  const { fields, errors } = props;
  return renderCreationPage({
    ...props,
    section: 'roles',
    sectionLabel: 'Roles',
    title: 'Invite an owner or admin',
    submit: 'Invite',
    fields: (
      <>
        <TextField
          name="email"
          label="E-mail address"
          hint="Check it twice: the role counts once the holder of this address accepts it."
          type="email"
          value={fields.email}
          maxLength={254}
          required
          errors={errors}
        />
        <ChoiceGroup
          name="role"
          label="Role"
          type="radio"
          choices={[
            {
              value: 'ADMIN',
              label: 'Admin',
              hint: 'Can do everything except change roles.',
              checked: fields.role === 'ADMIN',
            },
            {
              value: 'OWNER',
              label: 'Owner',
              hint: 'Can do everything, and also change roles and remove you.',
              checked: fields.role === 'OWNER',
            },
          ]}
          errors={errors}
        />
      </>
    ),
  });
}
