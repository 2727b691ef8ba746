import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { DateField, TextField } from '../../ui/parts/form-field.js';
import { renderCreationPage } from '../frame/creation-page.js';
import type { SellerPageProps } from '../frame/seller-page.js';

/** Values of the form of an invitation. */
export interface GrantFields {
  email: string;
  /** Milliseconds since the epoch. Null for a start on acceptance. */
  startsAt: number | null;
  /** Milliseconds since the epoch. Null for lifetime. */
  endsAt: number | null;
}

export interface NewMemberPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  fields: GrantFields;
  submission: string;
}

/**
 * Renders the form that invites a member: `POST …/members` with `email`, `startsAt` (blank for a start on acceptance) and
 * `endsAt` (blank for lifetime).
 */
export function newMemberPage(props: NewMemberPageProps): Page {
  const { fields, errors } = props;
  return renderCreationPage({
    ...props,
    section: 'members',
    sectionLabel: 'Members',
    title: 'Invite a member',
    submit: 'Invite',
    fields: (
      <>
        <TextField
          name="email"
          label="E-mail address"
          hint="The membership counts once the holder of this address accepts it. They see the community's name and your e-mail address."
          type="email"
          value={fields.email}
          maxLength={254}
          required
          errors={errors}
        />
        <DateField
          name="startsAt"
          label="Starts"
          hint="Leave blank to start on acceptance."
          value={fields.startsAt}
          hasTime
          errors={errors}
        />
        <DateField
          name="endsAt"
          label="Ends"
          hint="Leave blank for lifetime. Without a time, it ends as the day begins."
          value={fields.endsAt}
          hasTime
          errors={errors}
        />
      </>
    ),
  });
}
