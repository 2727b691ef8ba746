import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  creation,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
  SELLER_PATH,
  sendOwnersOnly,
} from '../../web/kit/areas/seller-area.js';
import { PersonCell, personInWords, roleInWords } from '../../web/kit/areas/seller-parts.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { defineForm } from '../../web/kit/parts/define-form.js';
import { AccountField, Button, ButtonLink, type FormError } from '../../web/kit/parts/form-parts.js';
import { Dialog } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import {
  actionsColumn,
  type Column,
  ListPanel,
  type ShownList,
  shownList,
} from '../../web/kit/parts/table.js';
import { Pill } from '../../web/kit/parts/values.js';
import { listSentInvitations, type SentInvitation } from '../invitations/invitation.queries.js';
import { roleInvitation } from '../invitations/invitation.resource.js';
import { invitationError, OpenInvitations } from '../invitations/invitations.pages.js';
import { inviteAdministrator, inviteHolderAsOwner } from '../invitations/send-invitation.js';
import { asksToSignIn } from '../sign-in/proof.pages.js';
import type { RoleChange } from './role-change.js';
import { changeRole, hasOneActiveOwner, listRoles, type NamedRole } from './roles.js';

export function roleRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  const invitation = creation(needs, NEW_ROLE, {
    read: ({ form }: CommunityForm) => NEW_ROLE.form.parse(roleInvitation.create, form),
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
          return {
            field: 'email',
            message: t('This user already has a role. Change it in the list of roles.'),
          };
        case 'too-many-roles':
          return { field: 'email', message: tooManyRoles(result) };
        default:
          return invitationError(result);
      }
    },
  });
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/roles': { get: (area) => rolesPage(area), post: invite },
    '/seller/communities/:communityId/roles/new': {
      get: (area) => (area.community.role === 'OWNER' ? invitation.get(area) : sendOwnersOnly(area)),
    },
    '/seller/communities/:communityId/roles/change': { post: change },
  });

  /** An offer of ownership can't be taken back once it's accepted, and an owner can remove the others. */
  async function invite(area: CommunityForm) {
    if (area.form.get('role') === 'OWNER' && (await asksToSignIn(needs, area, `${area.path}/roles/new`)))
      return;
    return await invitation.post(area);
  }

  async function change(area: CommunityForm) {
    const { actor, form, path, response } = area;
    const userId = readId(form.get('userId'));
    const sent = form.get('change') ?? '';
    if (!Object.hasOwn(CHANGES, sent)) throw notFound();
    const wanted: RoleChange = { ...CHANGES[sent as keyof typeof CHANGES].change, userId };
    const decision = await changeRole(db, actor, wanted);
    switch (decision.kind) {
      case 'needs-acceptance':
        return await inviteAsOwner(area, userId);
      case 'changed': {
        const keepsAccess = decision.holder?.isActive === true || decision.userId !== actor.userId;
        const done = wanted.kind === 'remove' ? 'role-removed' : 'role-changed';
        return doneAt(keepsAccess ? `${path}/roles` : SELLER_PATH, done);
      }
      case 'last-owner': {
        const message = t('This user is the only active owner. Make another user an owner first.');
        const html = await rolesPage(area, [{ field: `role-${userId}`, message }]);
        return sendPage(response, html, { status: 409 });
      }
      case 'not-owner':
        return sendOwnersOnly(area);
      default:
        throw notFound();
    }
  }

  /** An owner's role counts once the holder accepts it, so owners don't assign it but send an invitation. */
  async function inviteAsOwner(area: CommunityForm, userId: string) {
    const { actor, path, response } = area;
    if (await asksToSignIn(needs, area, `${path}/roles`)) return;
    const result = await inviteHolderAsOwner(db, actor, { userId, now: clock.now() });
    if (result.kind === 'invited') return doneAt(`${path}/roles`, 'owner-invited');
    if (result.kind === 'not-owner') return sendOwnersOnly(area);
    const html = await rolesPage(area, [{ field: `role-${userId}`, message: ownerRefusal(result) }]);
    return sendPage(response, html, { status: 409 });
  }

  async function rolesPage({ community, page, query }: CommunityRequest, errors?: FormError[]) {
    const after = readId(query.get('after')) || undefined;
    const of = { communityId: community.id, kind: 'role', now: clock.now() } as const;
    return sellerRolesPage({
      ...page,
      baseUrl,
      roles: { ...(await listRoles(db, community.id, after)), isFirst: after === undefined },
      hasOneOwner: await hasOneActiveOwner(db, community.id),
      invitations: await shownList(query, (from) => listSentInvitations(db, of, from), 'invitations'),
      errors,
    });
  }
}

function ownerRefusal(
  result: Exclude<Awaited<ReturnType<typeof inviteHolderAsOwner>>, { kind: 'invited' | 'not-owner' }>,
): string {
  switch (result.kind) {
    case 'no-address':
      return t('This user has no e-mail address, at which an owner is invited.');
    case 'already':
      return t('This user is an owner already.');
    case 'too-many-roles':
      return tooManyRoles(result);
    default:
      return invitationError(result).message;
  }
}

function tooManyRoles({ max }: { max: number }): string {
  return t(
    'This community has {max} roles and invitations to roles, which is the maximum. Remove one first.',
    { max: `${max}` },
  );
}

export const NEW_ROLE = {
  section: 'roles',
  title: phrase('Invite an owner or admin'),
  submit: phrase('Invite'),
  form: defineForm(controlsOf(roleInvitation)),
} as const;

interface RolesProps extends CommunityPageProps {
  baseUrl: string;
  roles: ShownList<NamedRole>;
  hasOneOwner: boolean;
  invitations: ShownList<SentInvitation>;
}

export function sellerRolesPage(props: RolesProps): Page {
  const { community, roles } = props;
  const isOwner = community.role === 'OWNER';
  const path = `${communityPath(community.id)}/roles`;
  return renderCommunityPage({
    ...props,
    section: 'roles',
    title: t('Roles'),
    children: (
      <>
        <ListPanel
          heading={t('Owners and admins')}
          id="people"
          actions={
            isOwner && (
              <ButtonLink kind="primary" isSmall href={`${path}/new`} label={t('Invite an owner or admin')} />
            )
          }
          label={t('Roles')}
          list={roles}
          columns={columnsOf(props, path)}
          path={path}
          first={phrase('first roles')}
        >
          <p class="muted">
            {t(
              'Users with an active role administer this community, also through their API keys. A role is not a membership.',
            )}
            {!isOwner && ` ${t('Only an owner can change roles.')}`}
          </p>
        </ListPanel>
        <OpenInvitations {...props} section="roles" canWithdraw={isOwner} />
      </>
    ),
  });
}

function columnsOf({ community, frame, roles, hasOneOwner }: RolesProps, path: string): Column<NamedRole>[] {
  const actions = actionsColumn<NamedRole>((holder) =>
    holder.role === 'OWNER' && holder.isActive && hasOneOwner ? (
      <span class="muted">{t('Only active owner')}</span>
    ) : (
      <RoleDialog id={`change-${roles.rows.indexOf(holder)}`} holder={holder} action={`${path}/change`} />
    ),
  );
  return [
    {
      heading: phrase('Person'),
      cell: (holder) => (
        <div id={`role-${holder.userId}`}>
          <PersonCell person={holder} suffix={holder.userId === frame.account ? ` ${t('(you)')}` : ''} />
        </div>
      ),
    },
    { heading: phrase('Role'), cell: ({ role }) => roleInWords(role) },
    {
      heading: phrase('Status'),
      cell: ({ isActive }) =>
        isActive ? <Pill tone="good">{t('Active')}</Pill> : <Pill tone="neutral">{t('Inactive')}</Pill>,
    },
    ...(community.role === 'OWNER' ? [actions] : []),
  ];
}

const CHANGES = {
  owner: {
    label: phrase('Invite as owner'),
    text: phrase(
      'Owners can do everything, and also change roles and remove you. It counts once the person accepts.',
    ),
    change: { kind: 'set-role', role: 'OWNER' },
  },
  admin: {
    label: phrase('Make admin'),
    text: phrase('Admins can do everything except change roles.'),
    change: { kind: 'set-role', role: 'ADMIN' },
  },
  deactivate: {
    label: phrase('Deactivate role'),
    text: phrase('The user and their API keys lose access at once. You can reactivate the role.'),
    change: { kind: 'set-active', isActive: false },
  },
  reactivate: {
    label: phrase('Reactivate role'),
    text: phrase('The user and their API keys get access again. An owner has to accept it first.'),
    change: { kind: 'set-active', isActive: true },
  },
  remove: {
    label: phrase('Remove role'),
    text: phrase(
      'The user and their API keys lose access at once. To restore the role, you must invite them again.',
    ),
    change: { kind: 'remove' },
  },
} as const;

function changesOf({ role, isActive }: NamedRole): (keyof typeof CHANGES)[] {
  return [role === 'ADMIN' ? 'owner' : 'admin', isActive ? 'deactivate' : 'reactivate', 'remove'];
}

function RoleDialog(props: {
  /** Id of the dialog. Keep it short: a page has fifty of them. */
  id: string;
  holder: NamedRole;
  action: string;
}) {
  const { holder } = props;
  const person = personInWords(holder);
  return (
    <Dialog
      id={props.id}
      button={
        <>
          {t('Change')}
          <span class="visually-hidden"> {t('the role of {person}', { person })}</span>
        </>
      }
      title={t('Role of {person}', { person })}
    >
      <form method="post" action={props.action}>
        <AccountField />
        <input type="hidden" name="userId" value={holder.userId} />
        <ul class="dialog-choices">
          {changesOf(holder).map((change) => (
            <li key={change}>
              <p class="muted">{t(CHANGES[change].text)}</p>
              <Button
                kind={change === 'remove' ? 'danger' : 'secondary'}
                isSmall
                name="change"
                value={change}
              >
                {t(CHANGES[change].label)}
              </Button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}
