import { Router } from 'express';
import * as z from 'zod';
import type { Needs } from '../../../app/services.js';
import { COMMUNITY_ROLES } from '../../../domain/communities/community.js';
import type { RoleChange, RoleDecision } from '../../../domain/communities/role-change.js';
import { changeRole, hasOneActiveOwner, listRoles } from '../../../domain/communities/roles.js';
import { emailField } from '../../../domain/fields/fields.js';
import { listSentInvitations } from '../../../domain/invitations/invitation-list.js';
import {
  type InviteAdministratorResult,
  inviteAdministrator,
} from '../../../domain/invitations/send-invitation.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { parseForm } from '../../ui/parts/form.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { sendOwnersOnly } from '../frame/owners-only.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityForm, communityPage, readId } from '../frame/seller-request.js';
import { invitationError } from '../invitations/invitation-errors.js';
import { newRolePage, type RoleFields } from './new-role-page.js';
import { sellerRolesPage } from './seller-roles-page.js';

type RolesRequest = Parameters<Parameters<typeof communityForm>[1]>[0];

const EMPTY_ROLE: RoleFields = { email: '', role: 'ADMIN' };

const ROLE_FORM = z.object({ email: emailField, role: z.enum(COMMUNITY_ROLES, 'Choose a role.') });

/** Routes of the roles in a community. Admins can view them, owners can change them. */
export function roleRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/roles')
    .get(showRoles(needs))
    .post(addRole(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route('/seller/communities/:communityId/roles/new').get(showNew(needs)).all(methodNotAllowed('GET'));
  router
    .route('/seller/communities/:communityId/roles/change')
    .post(change(needs))
    .all(methodNotAllowed('POST'));
  return router;
}

function showRoles(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async (areaRequest) => {
    await sendRoles(needs, areaRequest);
  });
}

function showNew(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async ({ frame, community, response }) => {
    if (community.role !== 'OWNER') return sendOwnersOnly(community, response);
    const page = { frame, community, fields: EMPTY_ROLE, submission: newSubmissionId() };
    sendPage(response, newRolePage(page));
  });
}

function addRole(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async ({ frame, community, actor, form, response }) => {
    const fields = { email: form.get('email') ?? '', role: form.get('role') ?? '' };
    const submission = submissionIdOf(form);
    const sendErrors = (errors: FormError[]) =>
      sendPage(response, newRolePage({ frame, community, fields, submission, errors }), { status: 400 });
    const read = parseForm(ROLE_FORM, fields);
    if (read.kind === 'invalid') return sendErrors(read.errors);
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
        return redirectDone(response, `${communityPath(community.id)}/roles`, 'invited');
      case 'not-owner':
        return sendOwnersOnly(community, response);
      default:
        sendErrors([errorOf(result)]);
    }
  });
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

function change(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return communityForm(needs, async (request) => {
    const { actor, form } = request;
    const userId = readId(form.get('userId') ?? '');
    const wanted = readChange(form.get('change'), userId);
    if (wanted === undefined) throw notFound();
    const decision = await changeRole(db, actor, wanted);
    const done = wanted.kind === 'remove' ? 'role-removed' : 'role-changed';
    await sendDecision(needs, request, { decision, done, field: `role-${userId}` });
  });
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

/** Sends the result of a change. Users who removed their own role go to the start page of the seller area. */
async function sendDecision(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  request: RolesRequest,
  result: {
    decision: RoleDecision | undefined;
    done: 'role-changed' | 'role-removed';
    field: string;
  },
): Promise<void> {
  const { community, actor, response } = request;
  const { decision, done, field } = result;
  switch (decision?.kind) {
    case 'changed': {
      const keepsAccess = decision.holder?.isActive === true || decision.userId !== actor.userId;
      const path = keepsAccess ? `${communityPath(community.id)}/roles` : '/seller';
      return redirectDone(response, path, done);
    }
    case 'last-owner': {
      const message = 'This user is the only active owner. Make another user an owner first.';
      return await sendRoles(needs, request, [{ field, message }]);
    }
    case 'not-owner':
      return sendOwnersOnly(community, response);
    default:
      throw notFound();
  }
}

/** Sends the roles with the invitations to roles, with the status 409 if there are errors. */
async function sendRoles(
  { db, clock, baseUrl }: Needs<'baseUrl' | 'clock' | 'db'>,
  { frame, community, request, response }: Parameters<Parameters<typeof communityPage>[1]>[0],
  errors?: FormError[],
): Promise<void> {
  const after = readId(requestQuery(request).get('after') ?? '') || undefined;
  const html = sellerRolesPage({
    frame,
    community,
    baseUrl,
    roles: await listRoles(db, community.id, after),
    isFirst: after === undefined,
    hasOneOwner: await hasOneActiveOwner(db, community.id),
    invitations: (
      await listSentInvitations(db, { communityId: community.id, kind: 'role', now: clock.now() })
    ).rows,
    errors,
    notice: errors === undefined ? noticeOf(request) : undefined,
  });
  sendPage(response, html, { status: errors === undefined ? 200 : 409 });
}
