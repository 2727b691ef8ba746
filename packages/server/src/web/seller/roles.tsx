import type { Router } from 'express';
import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { COMMUNITY_ROLES } from '../../domain/communities/community.js';
import type { RoleChange } from '../../domain/communities/role-change.js';
import { changeRole, hasOneActiveOwner, listRoles, type NamedRole } from '../../domain/communities/roles.js';
import { emailField } from '../../domain/fields/fields.js';
import { listSentInvitations, type SentInvitation } from '../../domain/invitations/invitation-list.js';
import { inviteAdministrator } from '../../domain/invitations/send-invitation.js';
import { notFound } from '../../platform/http/http-failure.js';
import { readId } from '../sign-in/area-route.js';
import { type Page, sendPage } from '../ui/frame/send-page.js';
import { defineForm, radios, text } from '../ui/parts/define-form.js';
import { AccountField, Button, ButtonLink, type FormError } from '../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../ui/parts/list-panel.js';
import { Dialog, Panel } from '../ui/parts/panel.js';
import type { Column } from '../ui/parts/table.js';
import { Pill } from '../ui/parts/values.js';
import { InvitationHint, InvitationTable, invitationError } from './invitations.js';
import {
  type CommunityPageProps,
  communityPath,
  creation,
  renderCommunityPage,
  SELLER_PATH,
} from './seller-page.js';
import { PersonCell, personInWords, roleInWords } from './seller-parts.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
  sendOwnersOnly,
} from './seller-request.js';

const newRoleSchema = z.object({ email: emailField, role: z.enum(COMMUNITY_ROLES, 'Choose a role.') });

/** Routes of the roles in a community. Admins can view them, owners can change them. */
export function roleRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  const invitation = creation(needs, NEW_ROLE, {
    read: ({ form }: CommunityForm) => NEW_ROLE.form.parse(newRoleSchema, form),
    create: (transaction, { email, role }, { actor }, now) =>
      inviteAdministrator(transaction, actor, { email, role, now }),
    answer(result, area) {
      switch (result.kind) {
        case 'invited':
        case 'already-submitted':
          return doneAt(`${area.path}/roles`, 'invited');
        case 'not-owner':
          return sendOwnersOnly(area);
        case 'already':
          return { field: 'email', message: 'This user already has a role. Change it in the list of roles.' };
        case 'too-many-roles': {
          const message = `This community has ${result.max} roles and invitations to roles, which is the maximum. Remove one first.`;
          return { field: 'email', message };
        }
        default:
          return invitationError(result);
      }
    },
  });
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/roles': { get: (area) => rolesPage(area), post: invitation.post },
    '/seller/communities/:communityId/roles/new': {
      get: (area) => (area.community.role === 'OWNER' ? invitation.get(area) : sendOwnersOnly(area)),
    },
    '/seller/communities/:communityId/roles/change': { post: change },
  });

  /** Changes a role. Users who removed their own role go to the start page of the seller area. */
  async function change(area: CommunityForm) {
    const { actor, form, path, response } = area;
    const userId = readId(form.get('userId'));
    const wanted = readChange(form.get('change'), userId);
    if (wanted === undefined) throw notFound();
    const decision = await changeRole(db, actor, wanted);
    switch (decision?.kind) {
      case 'changed': {
        const keepsAccess = decision.holder?.isActive === true || decision.userId !== actor.userId;
        const done = wanted.kind === 'remove' ? 'role-removed' : 'role-changed';
        return doneAt(keepsAccess ? `${path}/roles` : SELLER_PATH, done);
      }
      case 'last-owner': {
        const message = 'This user is the only active owner. Make another user an owner first.';
        const html = await rolesPage(area, [{ field: `role-${userId}`, message }]);
        return sendPage(response, html, { status: 409 });
      }
      case 'not-owner':
        return sendOwnersOnly(area);
      default:
        throw notFound();
    }
  }

  async function rolesPage({ community, page, query }: CommunityRequest, errors?: FormError[]) {
    const after = readId(query.get('after')) || undefined;
    const of = { communityId: community.id, kind: 'role', now: clock.now() } as const;
    return sellerRolesPage({
      ...page,
      baseUrl,
      roles: { ...(await listRoles(db, community.id, after)), isFirst: after === undefined },
      hasOneOwner: await hasOneActiveOwner(db, community.id),
      invitations: (await listSentInvitations(db, of)).rows,
      errors,
    });
  }
}

function readChange(text: string | null, userId: string): RoleChange | undefined {
  switch (text) {
    case 'owner':
      return { kind: 'set-role', userId, role: 'OWNER' };
    case 'admin':
      return { kind: 'set-role', userId, role: 'ADMIN' };
    case 'deactivate':
      return { kind: 'set-active', userId, isActive: false };
    case 'reactivate':
      return { kind: 'set-active', userId, isActive: true };
    case 'remove':
      return { kind: 'remove', userId };
    default:
      return undefined;
  }
}

/** Form that invites an owner or admin. */
export const NEW_ROLE = {
  section: 'roles',
  title: 'Invite an owner or admin',
  submit: 'Invite',
  form: defineForm({
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
  }),
} as const;

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
              <ButtonLink kind="primary" isSmall href={`${path}/new`} label="Invite an owner or admin" />
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
