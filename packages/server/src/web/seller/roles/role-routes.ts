import type { Router } from 'express';
import * as z from 'zod';
import type { Needs } from '../../../app/services.js';
import { COMMUNITY_ROLES } from '../../../domain/communities/community.js';
import type { RoleChange } from '../../../domain/communities/role-change.js';
import { changeRole, hasOneActiveOwner, listRoles } from '../../../domain/communities/roles.js';
import { emailField } from '../../../domain/fields/fields.js';
import { listSentInvitations } from '../../../domain/invitations/invitation-list.js';
import {
  type InviteAdministratorResult,
  inviteAdministrator,
} from '../../../domain/invitations/send-invitation.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { readId } from '../../sign-in/area-route.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../ui/parts/form-parts.js';
import { SELLER_PATH } from '../frame/seller-page.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
  sendOwnersOnly,
} from '../frame/seller-request.js';
import { invitationError } from '../invitations/invitation-list.js';
import { NEW_ROLE, newRolePage, sellerRolesPage } from './role-pages.js';

const newRoleSchema = z.object({ email: emailField, role: z.enum(COMMUNITY_ROLES, 'Choose a role.') });

/** Routes of the roles in a community. Admins can view them, owners can change them. */
export function roleRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/roles': { get: (area) => rolesPage(area), post: invite },
    '/seller/communities/:communityId/roles/new': { get: showNew },
    '/seller/communities/:communityId/roles/change': { post: change },
  });

  function showNew(area: CommunityRequest) {
    if (area.community.role !== 'OWNER') return sendOwnersOnly(area);
    return newRolePage({ ...area.page, values: NEW_ROLE.empty, submission: newSubmissionId() });
  }

  async function invite(area: CommunityForm) {
    const { actor, form, page, path } = area;
    const submission = submissionIdOf(form);
    const refuse = (errors: FormError[]) =>
      newRolePage({ ...page, values: NEW_ROLE.read(form), submission, errors });
    const read = NEW_ROLE.parse(newRoleSchema, form);
    if (read.kind === 'invalid') return refuse(read.errors);
    const { email, role } = read.value;
    const now = clock.now();
    const result = await submitOnce(db, {
      submission: { userId: actor.userId, id: submission },
      now,
      work: (transaction) => inviteAdministrator(transaction, actor, { email, role, now }),
      hasEffect: (invited) => invited?.kind === 'invited',
    });
    if (result === undefined) throw notFound();
    switch (result.kind) {
      case 'invited':
      case 'already-submitted':
        return doneAt(`${path}/roles`, 'invited');
      case 'not-owner':
        return sendOwnersOnly(area);
      default:
        return refuse([errorOf(result)]);
    }
  }

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

function errorOf(result: Exclude<InviteAdministratorResult, { kind: 'invited' | 'not-owner' }>): FormError {
  switch (result.kind) {
    case 'already':
      return { field: 'email', message: 'This user already has a role. Change it in the list of roles.' };
    case 'too-many-roles': {
      const message = `This community has ${result.max} roles and invitations to roles, which is the maximum. Remove one first.`;
      return { field: 'email', message };
    }
    default:
      return invitationError(result);
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
