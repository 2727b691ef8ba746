import type { NamedRole } from '../../../domain/communities/roles.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { Page } from '../../ui/frame/send-page.js';
import { defineForm, type FormValues, radios, text } from '../../ui/parts/define-form.js';
import { AccountField, Button, ButtonLink } from '../../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../../ui/parts/list-panel.js';
import { Dialog, Panel } from '../../ui/parts/panel.js';
import type { Column } from '../../ui/parts/table.js';
import { Pill } from '../../ui/parts/values.js';
import {
  type CommunityPageProps,
  communityPath,
  type NewProps,
  renderCommunityPage,
  renderNewPage,
} from '../frame/seller-page.js';
import { PersonCell, personInWords, roleInWords } from '../frame/seller-parts.js';
import { InvitationHint, InvitationTable } from '../invitations/invitation-list.js';

/** Form that invites an owner or admin. */
export const NEW_ROLE = defineForm({
  email: text({
    label: 'E-mail address',
    hint: 'Check it twice: the role counts once the holder of this address accepts it.',
    type: 'email',
    maxLength: 254,
    required: true,
  }),
  role: radios({
    label: 'Role',
    choices: [
      { value: 'ADMIN', label: 'Admin', hint: 'Can do everything except change roles.' },
      {
        value: 'OWNER',
        label: 'Owner',
        hint: 'Can do everything, and also change roles and remove you.',
      },
    ],
    initial: 'ADMIN',
  }),
});

/** Renders the form that invites an owner or admin: `POST …/roles`. */
export function newRolePage(props: CommunityPageProps & NewProps<FormValues<typeof NEW_ROLE>>): Page {
  return renderNewPage({
    ...props,
    section: 'roles',
    title: 'Invite an owner or admin',
    submit: 'Invite',
    fields: NEW_ROLE.fields(props),
  });
}

interface RolesProps extends CommunityPageProps {
  baseUrl: string;
  roles: ShownList<NamedRole>;
  /** True if only one active owner exists. */
  hasOneOwner: boolean;
  invitations: readonly SentInvitation[];
}

/**
 * Renders the roles in a community. Owners can change them: `POST …/roles/change` with `userId` and `change` (`owner`,
 * `admin`, `deactivate`, `reactivate` or `remove`).
 */
export function sellerRolesPage(props: RolesProps): Page {
  const { community, frame, invitations, roles } = props;
  const isOwner = community.role === 'OWNER';
  const path = `${communityPath(community.id)}/roles`;
  return renderCommunityPage({
    ...props,
    section: 'roles',
    title: 'Roles',
    children: (
      <>
        <ListPanel
          heading="Owners and admins"
          id="people"
          actions={
            isOwner && (
              <ButtonLink kind="primary" isSmall href={`${path}/new`}>
                Invite an owner or admin
              </ButtonLink>
            )
          }
          label="Roles"
          list={roles}
          columns={columnsOf(props, path)}
          path={path}
          first="first roles"
        >
          <p class="muted">
            Users with an active role administer this community, also through their API keys. A role is not a
            membership.
            {!isOwner && ' Only an owner can change roles.'}
          </p>
        </ListPanel>
        {invitations.length > 0 && (
          <Panel heading="Open invitations" id="invited">
            <InvitationHint baseUrl={props.baseUrl} />
            <InvitationTable
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

/** Columns of the roles. Owners have one more, with the changes. */
function columnsOf({ community, frame, roles, hasOneOwner }: RolesProps, path: string): Column<NamedRole>[] {
  const actions: Column<NamedRole> = {
    heading: 'Actions',
    isHeadingHidden: true,
    isNumeric: true,
    cell: (holder) =>
      holder.role === 'OWNER' && holder.isActive && hasOneOwner ? (
        <span class="muted">Only active owner</span>
      ) : (
        <RoleDialog
          id={`change-${roles.rows.indexOf(holder)}`}
          holder={holder}
          account={frame.account}
          action={`${path}/change`}
        />
      ),
  };
  return [
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
    ...(community.role === 'OWNER' ? [actions] : []),
  ];
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
