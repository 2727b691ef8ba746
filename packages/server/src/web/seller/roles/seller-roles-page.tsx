import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { NamedRole } from '../../../domain/communities/roles.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { Pill } from '../../ui/parts/pill.js';
import { Table } from '../../ui/parts/table.js';
import { PersonCell } from '../frame/person-cell.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { personInWords, roleInWords } from '../frame/seller-wording.js';
import { InvitationHint, InvitationTable } from '../invitations/invitation-table.js';

export interface SellerRolesPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Origin of the service. */
  baseUrl: string;
  roles: ListPage<NamedRole>;
  isFirst: boolean;
  /** True if only one active owner exists. */
  hasOneOwner: boolean;
  invitations: readonly SentInvitation[];
}

/**
 * Renders the roles in a community. Owners can change them: `POST …/roles/change` with `userId` and `change` (`owner`,
 * `admin`, `deactivate`, `reactivate` or `remove`).
 */
export function sellerRolesPage(props: SellerRolesPageProps): Page {
  const { community, frame, invitations } = props;
  const isOwner = community.role === 'OWNER';
  const path = `${communityPath(community.id)}/roles`;
  return renderCommunityPage({
    ...props,
    section: 'roles',
    title: 'Roles',
    children: (
      <>
        <Panel
          heading="Owners and admins"
          id="people"
          actions={
            isOwner && (
              <ButtonLink kind="primary" isSmall href={`${path}/new`}>
                Invite an owner or admin
              </ButtonLink>
            )
          }
        >
          <p class="muted">
            Users with an active role administer this community, also through their API keys. A role is not a
            membership.
            {!isOwner && ' Only an owner can change roles.'}
          </p>
          <RoleTable {...props} path={path} isOwner={isOwner} />
          <Pager path={path} next={props.roles.next} isFirst={props.isFirst} first="first roles" />
        </Panel>
        {invitations.length > 0 && (
          <Panel heading="Open invitations" id="invited">
            <InvitationHint baseUrl={props.baseUrl} />
            <InvitationTable
              label="Invitations"
              invitations={invitations}
              community={community}
              frame={frame}
              section="roles"
              canWithdraw={isOwner}
            />
          </Panel>
        )}
      </>
    ),
  });
}

function RoleTable({
  roles,
  frame,
  hasOneOwner,
  path,
  isOwner,
}: SellerRolesPageProps & { path: string; isOwner: boolean }) {
  const isLastOwner = (holder: NamedRole) => holder.role === 'OWNER' && holder.isActive && hasOneOwner;
  return (
    <Table
      label="Roles"
      rows={roles.rows}
      rowKey={({ userId }) => userId}
      columns={[
        {
          heading: 'Person',
          cell: (holder) => (
            <div id={`role-${holder.userId}`}>
              <PersonCell person={holder} suffix={holder.userId === frame.account ? ' (you)' : ''} />
            </div>
          ),
          isRowHeading: true,
        },
        { heading: 'Role', cell: ({ role }) => roleInWords(role) },
        {
          heading: 'Status',
          cell: ({ isActive }) =>
            isActive ? <Pill tone="good">Active</Pill> : <Pill tone="neutral">Inactive</Pill>,
        },
        ...(isOwner
          ? [
              {
                heading: 'Actions',
                isHeadingHidden: true,
                isNumeric: true,
                cell: (holder: NamedRole) =>
                  isLastOwner(holder) ? (
                    <span class="muted">Only active owner</span>
                  ) : (
                    <RoleDialog
                      id={`change-${roles.rows.indexOf(holder)}`}
                      holder={holder}
                      account={frame.account}
                      action={`${path}/change`}
                    />
                  ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** Change of a role, with its consequence. */
interface Change {
  change: string;
  label: string;
  text: string;
}

/** Dialog with the changes of a role, each with its consequence. */
function RoleDialog(props: {
  /** Id of the dialog. A short one, because a page has fifty of them. */
  id: string;
  holder: NamedRole;
  /** Id of the user who makes the change. */
  account: string;
  /** Path that changes roles. */
  action: string;
}) {
  const { holder } = props;
  const person = personInWords(holder);
  return (
    <Dialog
      id={props.id}
      button={
        <>
          Change
          <span class="visually-hidden"> the role of {person}</span>
        </>
      }
      title={`Role of ${person}`}
    >
      <form method="post" action={props.action}>
        <AccountField account={props.account} />
        <input type="hidden" name="userId" value={holder.userId} />
        <ul class="dialog-choices">
          {changesOf(holder).map(({ change, label, text }) => (
            <li key={change}>
              <p class="muted">{text}</p>
              <Button
                kind={change === 'remove' ? 'danger' : 'secondary'}
                isSmall
                name="change"
                value={change}
              >
                {label}
              </Button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}

function changesOf({ role, isActive }: NamedRole): Change[] {
  return [
    role === 'ADMIN'
      ? { change: 'owner', label: 'Make owner', text: 'Owners can do everything, and also change roles.' }
      : { change: 'admin', label: 'Make admin', text: 'Admins can do everything except change roles.' },
    isActive
      ? {
          change: 'deactivate',
          label: 'Deactivate role',
          text: 'The user and their API keys lose access at once. You can reactivate the role.',
        }
      : {
          change: 'reactivate',
          label: 'Reactivate role',
          text: 'The user and their API keys get access again.',
        },
    {
      change: 'remove',
      label: 'Remove role',
      text: 'The user and their API keys lose access at once. To restore the role, you must invite them again.',
    },
  ];
}
