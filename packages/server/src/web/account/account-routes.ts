import { uuidField } from '@latchkey/contract';
import { Router } from 'express';
import type { Needs, Services } from '../../app/services.js';
import { listOwnRoles } from '../../domain/communities/community-access.js';
import { acceptInvitation, declineInvitation } from '../../domain/invitations/answer-invitation.js';
import { listReceivedInvitations } from '../../domain/invitations/invitation-list.js';
import { listOwnMemberships } from '../../domain/memberships/own-memberships.js';
import { countConsents, listConsents, revokeConsent } from '../../domain/oauth/consents.js';
import { endListedSession } from '../../domain/sessions/sessions.js';
import { userSchema } from '../../domain/users/user.js';
import { renameUser, type User } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import { readPosition } from '../../platform/database/keyset.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { endUserSessions, listUserSessions } from '../sign-in/user-session.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import { parseForm } from '../ui/parts/form.js';
import { accountNotice } from './account-notices.js';
import { type AccountPageProps, accountPage } from './account-page.js';
import { accountProfilePage } from './account-profile-page.js';
import { accountSessionsPage } from './account-sessions-page.js';
import { deleteAccountRoutes } from './delete-account-routes.js';
import { membershipRoutes } from './membership-routes.js';
import { roleRoutes } from './role-routes.js';
import { twoStepRoutes } from './two-step-routes.js';

const HOME = '/account';

/** Routes that answer an invitation to the user's address. */
function invitationRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/account/invitations/accept').post(accept(needs)).all(methodNotAllowed('POST'));
  router.route('/account/invitations/decline').post(decline(needs)).all(methodNotAllowed('POST'));
  return router;
}

function accept(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaForm(needs, HOME, async ({ user, form, response }) => {
    const result = await acceptInvitation(db, { id: invitationIdOf(form), userId: user.id }, clock.now());
    switch (result.kind) {
      case 'accepted':
        return redirect(response, 303, `${HOME}?done=accepted`);
      case 'unknown':
        throw noSuchInvitation();
      case 'renewing': {
        const html = messagePage({
          title: 'Cancel your subscription first',
          text: 'A subscription renews your membership of this community. Cancel it on your account page, then accept the invitation.',
          action: { href: HOME, label: 'Your account' },
        });
        return sendPage(response, html, { status: 409 });
      }
      case 'too-many-roles': {
        const html = messagePage({
          title: 'You have too many roles',
          text: `You have ${result.max} roles, which is the maximum. Leave a role on your account page, then accept the invitation.`,
          action: { href: HOME, label: 'Your account' },
        });
        return sendPage(response, html, { status: 409 });
      }
    }
  });
}

function decline(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaForm(needs, HOME, async ({ user, form, response }) => {
    const key = { id: invitationIdOf(form), userId: user.id };
    if (!(await declineInvitation(db, key, clock.now()))) throw noSuchInvitation();
    redirect(response, 303, `${HOME}?done=declined`);
  });
}

/** Failure for an invitation that is not open, or is for another address. */
function noSuchInvitation() {
  return notFound('This account has no such invitation. The seller may have withdrawn it.');
}

/** Returns the id in lower case, or an empty string, which matches no invitation, if it is malformed. */
function invitationIdOf(form: URLSearchParams): string {
  return uuidField.safeParse(form.get('invitation')).data ?? '';
}

const SESSIONS_PATH = '/account/sessions';

/** Maximum number of listed sessions. */
const SHOWN_SESSIONS = 50;

/** Routes that list and end the user's sessions. */
function sessionRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SESSIONS_PATH).get(showSessions(needs)).all(methodNotAllowed('GET'));
  router.route('/account/sessions/sign-out').post(endOneSession(needs)).all(methodNotAllowed('POST'));
  router.route('/account/sessions/end').post(endSessions(needs)).all(methodNotAllowed('POST'));
  return router;
}

function showSessions(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const sessions = await listUserSessions(needs, request, {
      userId: user.id,
      limit: SHOWN_SESSIONS + 1,
    });
    const html = accountSessionsPage({
      frame,
      sessions: sessions.slice(0, SHOWN_SESSIONS),
      hasMore: sessions.length > SHOWN_SESSIONS,
      apps: await countConsents(db, user.id),
      notice: accountNotice(request),
    });
    sendPage(response, html);
  });
}

/** A session that has ended already, or is one of another user, changes nothing. */
function endOneSession(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return areaForm(needs, SESSIONS_PATH, async ({ user, form, response }) => {
    const id = form.get('session') ?? '';
    const ended = await endListedSession(needs.db, { userId: user.id, id });
    redirect(response, 303, ended ? `${SESSIONS_PATH}?done=session` : SESSIONS_PATH);
  });
}

function endSessions(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return areaForm(needs, SESSIONS_PATH, async ({ user, form, request, response }) => {
    const which = form.get('which');
    if (which !== 'others' && which !== 'all') return redirect(response, 303, SESSIONS_PATH);
    const apps = form.has('apps');
    await endUserSessions(needs, { request, response }, { userId: user.id, which, apps });
    if (which === 'all') return redirect(response, 303, '/signed-out');
    redirect(response, 303, `${SESSIONS_PATH}?done=${apps ? 'others-and-apps' : 'others'}`);
  });
}

const PROFILE_PATH = '/account/profile';

const PROFILE_FORM = userSchema.pick({ name: true });

/** Routes of the user's profile. */
function profileRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PROFILE_PATH)
    .get(showProfile(needs))
    .post(saveProfile(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function showProfile(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return areaPage(needs, ({ user, frame, request, response }) => {
    const html = accountProfilePage({ frame, name: user.name ?? '', notice: accountNotice(request) });
    sendPage(response, html);
  });
}

function saveProfile(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return areaForm(needs, PROFILE_PATH, async ({ user, frame, form, response }) => {
    const typed = form.get('name') ?? '';
    const result = parseForm(PROFILE_FORM, { name: typed.trim() === '' ? null : typed });
    if (result.kind === 'invalid') {
      const html = accountProfilePage({ frame, name: typed, errors: result.errors });
      return sendPage(response, html, { status: 400 });
    }
    await renameUser(db, user.id, result.value.name);
    redirect(response, 303, `${PROFILE_PATH}?done=renamed`);
  });
}

const ACCOUNT_PATH = '/account';

/** Routes of the account area: memberships, allowed apps, profile, sessions, two-step sign-in and deletion. */
export function accountRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(ACCOUNT_PATH).get(showAccount(needs)).all(methodNotAllowed('GET'));
  router.route('/account/apps/revoke').post(revokeApp(needs)).all(methodNotAllowed('POST'));
  router.use(invitationRoutes(needs));
  router.use(membershipRoutes(needs));
  router.use(roleRoutes(needs));
  router.use(profileRoutes(needs));
  router.use(sessionRoutes(needs));
  router.use(twoStepRoutes(needs));
  router.use(deleteAccountRoutes(needs));
  return router;
}

function showAccount(needs: Services) {
  const { db, clock } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const props = await accountProps({ db, clock }, user, requestQuery(request));
    sendPage(response, accountPage({ frame, ...props, notice: accountNotice(request) }));
  });
}

function revokeApp(needs: Services) {
  const { db, clock } = needs;
  return areaForm(needs, ACCOUNT_PATH, async ({ user, form, response }) => {
    const clientId = form.get('clientId') ?? '';
    await revokeConsent(db, { userId: user.id, clientId }, clock.now());
    redirect(response, 303, `${ACCOUNT_PATH}?done=revoked`);
  });
}

/** Reads one page of each list of the account page. The starts of the pages come from the address. */
async function accountProps(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  user: User,
  query: URLSearchParams,
): Promise<Omit<AccountPageProps, 'frame' | 'notice'>> {
  const now = clock.now();
  const afterMembership = readPosition(query.get('after'));
  const afterRole = uuidField.safeParse(query.get('roles')).data;
  const afterApp = query.get('apps') ?? undefined;
  const own = await listOwnMemberships(db, user.id, { now, after: afterMembership });
  return {
    invitations: await listReceivedInvitations(db, user.email, now),
    memberships: own.active,
    upcoming: own.upcoming,
    expired: own.expired,
    next: own.next,
    roles: await listOwnRoles(db, user.id, afterRole),
    apps: await listConsents(db, user.id, afterApp),
    isFirst: {
      memberships: afterMembership === undefined,
      roles: afterRole === undefined,
      apps: afterApp === undefined,
    },
  };
}
