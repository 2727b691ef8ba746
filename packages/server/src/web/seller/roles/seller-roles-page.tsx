import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { NamedRole } from '../../../domain/communities/roles.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Confirm } from '../../ui/parts/confirm.js';
import { SelectField, TextField } from '../../ui/parts/form-field.js';
import { Pager } from '../../ui/parts/pager.js';
import { Avatar } from '../../ui/parts/picture.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { personInWords, roleInWords } from '../frame/seller-wording.js';
import { InvitationHint, InvitationRows } from '../invitations/invitation-rows.js';

/** Props of {@link sellerRolesPage}. */
export interface SellerRolesPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Origin of the service. */
  baseUrl: string;
  roles: ListPage<NamedRole>;
  /** True for the first page of the roles. */
  isFirst: boolean;
  /** True if only one active owner exists. */
  hasOneOwner: boolean;
  /** Invitations to roles. */
  invitations: readonly SentInvitation[];
  /** Raw values of the form of a new role. */
  added: { email: string; role: string };
}

const ROLE_OPTIONS = [
  { value: 'ADMIN', label: 'Admin: everything except roles' },
  { value: 'OWNER', label: 'Owner: everything' },
];

/**
 * Renders the roles in a community. Owners can change them: `POST …/roles` with `email` and `role` invites, `POST …/roles/change`
 * with `userId` and `change` (`owner`, `admin`, `deactivate`, `reactivate` or `remove`).
 */
export function sellerRolesPage(props: SellerRolesPageProps): Page {
  const { community, roles, frame, invitations } = props;
  const isOwner = community.role === 'OWNER';
  return renderCommunityPage({
    ...props,
    section: 'roles',
    title: 'Roles',
    children: (
      <>
        <section class="panel" aria-labelledby="people">
          <h2 id="people">Owners and admins</h2>
          <p class="muted">
            Users with an active role administer this community, also through their API keys. A role is not a
            membership.
            {!isOwner && ' Only an owner can change roles.'}
          </p>
          <ul class="rows panel-list">
            {roles.rows.map((holder) => (
              <RoleRow
                key={holder.userId}
                holder={holder}
                frame={frame}
                communityId={community.id}
                canChange={isOwner}
                isLastOwner={holder.role === 'OWNER' && holder.isActive && props.hasOneOwner}
              />
            ))}
          </ul>
          <Pager
            path={`${communityPath(community.id)}/roles`}
            next={roles.next}
            isFirst={props.isFirst}
            first="first roles"
          />
        </section>
        {invitations.length > 0 && (
          <section class="panel" aria-labelledby="invited">
            <h2 id="invited">Invited</h2>
            <InvitationHint baseUrl={props.baseUrl} />
            <div class="panel-list">
              <InvitationRows
                invitations={invitations}
                community={community}
                frame={frame}
                section="roles"
                canWithdraw={isOwner}
              />
            </div>
          </section>
        )}
        {isOwner && <AddRole {...props} />}
      </>
    ),
  });
}

function AddRole({ community, frame, added, errors }: SellerRolesPageProps) {
  return (
    <section class="panel" aria-labelledby="add">
      <h2 id="add">Invite an owner or admin</h2>
      <form class="form" method="post" action={`${communityPath(community.id)}/roles`}>
        <AccountField account={frame.account} />
        <TextField
          name="email"
          label="E-mail address"
          hint="Check it twice: the role counts once the holder of this address accepts it."
          type="email"
          value={added.email}
          maxLength={254}
          required
          errors={errors}
        />
        <SelectField name="role" label="Role" value={added.role} options={ROLE_OPTIONS} errors={errors} />
        <div class="form-actions">
          <button class="button primary" type="submit">
            Invite
          </button>
        </div>
      </form>
    </section>
  );
}

function RoleRow(props: {
  holder: NamedRole;
  frame: AreaFrame;
  communityId: string;
  canChange: boolean;
  isLastOwner: boolean;
}) {
  const { holder, frame, canChange, isLastOwner } = props;
  const person = personInWords(holder);
  return (
    <li class="row" id={`role-${holder.userId}`}>
      <Avatar name={person} />
      <div class="row-text">
        <p class="row-title">
          <bdi>{person}</bdi>
          {holder.userId === frame.account && ' (you)'}
        </p>
        {holder.email !== null && holder.email !== person && (
          <p class="muted">
            <bdi>{holder.email}</bdi>
          </p>
        )}
      </div>
      <p class={holder.isActive ? 'tag' : 'tag quiet'}>
        {roleInWords(holder.role)}
        {!holder.isActive && ', inactive'}
      </p>
      {canChange && isLastOwner && (
        <p class="row-note muted">
          This is the only active owner. Make another user an owner before you change this role.
        </p>
      )}
      {canChange && !isLastOwner && <RoleActions {...props} person={person} />}
    </li>
  );
}

function RoleActions(props: { holder: NamedRole; frame: AreaFrame; communityId: string; person: string }) {
  const { holder, frame, communityId, person } = props;
  const shared = {
    action: `${communityPath(communityId)}/roles/change`,
    account: frame.account,
  };
  const fields = (change: string) => ({ userId: holder.userId, change });
  return (
    <div class="row-actions">
      {holder.role === 'ADMIN' ? (
        <ActionForm
          {...shared}
          fields={fields('owner')}
          label="Make owner"
          about={`of the community: ${person}`}
        />
      ) : (
        <ActionForm
          {...shared}
          fields={fields('admin')}
          label="Make admin"
          about={`of the community: ${person}`}
        />
      )}
      {holder.isActive ? (
        <ActionForm
          {...shared}
          fields={fields('deactivate')}
          label="Deactivate"
          about={`the role of ${person}`}
        />
      ) : (
        <ActionForm
          {...shared}
          fields={fields('reactivate')}
          label="Reactivate"
          about={`the role of ${person}`}
        />
      )}
      <Confirm
        label="Remove"
        about={`the role of ${person}`}
        text="The user and their API keys lose access to this community at once."
      >
        <ActionForm {...shared} fields={fields('remove')} label="Remove role" isDanger />
      </Confirm>
    </div>
  );
}
