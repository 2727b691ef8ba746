import { Router } from 'express';
import * as z from 'zod';
import { COMMUNITY_ROLES } from '../../../domain/communities/community.js';
import type { RoleChange, RoleDecision } from '../../../domain/communities/role-change.js';
import { changeRole, listRoles } from '../../../domain/communities/roles.js';
import { emailField } from '../../../domain/fields/identifiers.js';
import { findUserByEmail } from '../../../domain/users/users.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import type { FormError } from '../../ui/error-summary.js';
import { parseForm } from '../../ui/form.js';
import { messagePage } from '../../ui/message-page.js';
import { sendPage } from '../../ui/send-page.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { communityPath } from '../frame/seller-page.js';
import { communityForm, communityPage, readId } from '../frame/seller-request.js';
import { sellerRolesPage } from './seller-roles-page.js';

interface RoleRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

type RolesRequest = Parameters<Parameters<typeof communityForm>[1]>[0];

/** Raw values of the form of a new role. */
interface AddedRole {
  email: string;
  role: string;
}

const EMPTY_ROLE: AddedRole = { email: '', role: 'ADMIN' };

const ROLE_FORM = z.object({ email: emailField, role: z.enum(COMMUNITY_ROLES, 'Choose a role.') });

/** Routes of the roles in a community. Admins can view them, owners can change them. */
export function roleRoutes(needs: RoleRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/roles')
    .get(showRoles(needs))
    .post(addRole(needs))
    .all(methodNotAllowed('GET, POST'));
  router
    .route('/seller/communities/:communityId/roles/change')
    .post(change(needs))
    .all(methodNotAllowed('POST'));
  return router;
}

function showRoles(needs: RoleRoutesNeeds) {
  const { db } = needs;
  return communityPage(needs, async ({ frame, community, request, response }) => {
    const roles = await listRoles(db, community);
    sendPage(
      response,
      sellerRolesPage({ frame, community, roles, added: EMPTY_ROLE, notice: noticeOf(request) }),
    );
  });
}

function addRole(needs: RoleRoutesNeeds) {
  const { db } = needs;
  return communityForm(needs, async (request) => {
    const { actor, form } = request;
    const added = { email: form.get('email') ?? '', role: form.get('role') ?? '' };
    const result = parseForm(ROLE_FORM, added);
    if (result.kind === 'invalid') {
      return sendWithErrors(needs, request, { added, errors: result.errors });
    }
    const { email, role } = result.value;
    const user = await findUserByEmail(db, email);
    if (user === undefined && request.community.role === 'OWNER') {
      // A mistyped address must not create a user who administers the community.
      const message = 'No account has this e-mail address. Ask the person to sign in once, then add them.';
      return sendWithErrors(needs, request, { added, errors: [{ field: 'email', message }] });
    }
    const decision = await changeRole(db, actor, { kind: 'add', userId: user?.id ?? '', role });
    await sendDecision(needs, request, { decision, done: 'role-added', added, field: 'email' });
  });
}

function change(needs: RoleRoutesNeeds) {
  const { db } = needs;
  return communityForm(needs, async (request) => {
    const { actor, form } = request;
    const userId = readId(form.get('userId') ?? '');
    const wanted = readChange(form.get('change'), userId);
    if (wanted === undefined) throw notFound();
    const decision = await changeRole(db, actor, wanted);
    const done = wanted.kind === 'remove' ? 'role-removed' : 'role-changed';
    await sendDecision(needs, request, { decision, done, added: EMPTY_ROLE, field: `role-${userId}` });
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
  needs: RoleRoutesNeeds,
  request: RolesRequest,
  outcome: {
    decision: RoleDecision | undefined;
    done: 'role-added' | 'role-changed' | 'role-removed';
    added: AddedRole;
    field: string;
  },
): Promise<void> {
  const { community, actor, response } = request;
  const { decision, done, added, field } = outcome;
  switch (decision?.kind) {
    case 'changed': {
      const keepsAccess = decision.holder?.isActive === true || decision.userId !== actor.userId;
      const path = keepsAccess ? `${communityPath(community.id)}/roles` : '/seller';
      return redirectDone(response, path, done);
    }
    case 'already': {
      const message = 'This user already has a role. Change it in the list above.';
      return await sendWithErrors(needs, request, { added, errors: [{ field, message }] });
    }
    case 'last-owner': {
      const message = 'This user is the only active owner. Make another user an owner first.';
      return await sendWithErrors(needs, request, { added, errors: [{ field, message }], status: 409 });
    }
    case 'not-owner':
      return sendOwnersOnly(request);
    default:
      throw notFound();
  }
}

async function sendWithErrors(
  { db }: RoleRoutesNeeds,
  { frame, community, response }: RolesRequest,
  { added, errors, status = 400 }: { added: AddedRole; errors: FormError[]; status?: number },
): Promise<void> {
  const roles = await listRoles(db, community);
  sendPage(response, sellerRolesPage({ frame, community, roles, added, errors }), { status });
}

function sendOwnersOnly({ community, response }: RolesRequest): void {
  const html = messagePage({
    title: 'Only an owner can change roles',
    text: 'You are an admin of this community. Ask one of its owners to make the change.',
    action: { href: `${communityPath(community.id)}/roles`, label: 'View roles' },
  });
  sendPage(response, html, { status: 403 });
}
