import { uuidField } from '@latchkey/contract';
import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { findOwnRole } from '../../domain/communities/community-access.js';
import { resignRole } from '../../domain/communities/roles.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { confirmPage } from '../ui/frame/confirm-page.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

const HOME = '/account';

interface RoleParams extends Record<string, string> {
  communityId: string;
}

/** Routes with which users give up their own role in a community. The last active owner can't. */
export function roleRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/account/roles/:communityId/resign')
    .get(askToResign(needs))
    .post(resign(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function askToResign(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return areaPage<RoleParams>(needs, async ({ user, frame, request, response }) => {
    const role = await findOwnRole(needs.db, { communityId: communityIdOf(request.params), userId: user.id });
    if (role === undefined) throw noSuchRole();
    const html = confirmPage({
      frame,
      area: 'account',
      sections: ACCOUNT_SECTIONS,
      section: HOME,
      title: 'Leave your role?',
      subject: role.name,
      consequences: [
        'You and your API keys no longer have access to this community.',
        'Your webhooks of this community receive no more events.',
        'Your memberships stay.',
        'To get the role back, an owner must invite you again.',
      ],
      action: `/account/roles/${role.id}/resign`,
      button: 'Leave role',
      cancel: { href: HOME, label: 'Keep role' },
    });
    sendPage(response, html);
  });
}

function resign(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return areaForm<RoleParams>(needs, HOME, async ({ user, request, response }) => {
    const actor = { communityId: communityIdOf(request.params), userId: user.id };
    const decision = await resignRole(needs.db, actor);
    if (decision.kind === 'changed') return redirect(response, 303, `${HOME}?done=resigned`);
    if (decision.kind !== 'last-owner') throw noSuchRole();
    const html = messagePage({
      title: 'You are the only active owner',
      text: 'Without an owner nobody could manage this community. Make another user an owner first.',
      action: { href: `/seller/communities/${actor.communityId}/roles`, label: 'View roles' },
    });
    sendPage(response, html, { status: 409 });
  });
}

function noSuchRole() {
  return notFound('This account has no such role.');
}

/** Returns the id of the path in lower case, or an empty string, which matches no community, if it is malformed. */
function communityIdOf(params: RoleParams): string {
  return uuidField.safeParse(params.communityId).data ?? '';
}
