import { Router } from 'express';
import type { Services } from '../../app/services.js';
import { readPosition } from '../../platform/database/rows.js';
import { notFound } from '../../platform/http/http-failure.js';
import { t } from '../../platform/language/language.js';
import { ACCOUNT_PATH, accountNotice, inAccount } from '../../web/kit/areas/account-area.js';
import { type AreaForm, type AreaRequest, areaRoutes, readId } from '../../web/kit/areas/area-routes.js';
import { confirmPage } from '../../web/kit/frame/area-page.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import { deleteAccountRoutes } from '../account-deletion/delete-account.pages.js';
import { ownPaymentRoutes } from '../checkout/sales.pages.js';
import { findOwnRole, listOwnRoles } from '../communities/community-access.js';
import { resignRole } from '../communities/roles.js';
import { emailRoutes } from '../email-change/email-change.pages.js';
import {
  acceptInvitation,
  declineInvitation,
  listReceivedInvitations,
} from '../invitations/invitation.queries.js';
import {
  cancelOwnSubscription,
  findOwnMembership,
  findRenewing,
  leaveMembership,
  listOwnMemberships,
} from '../memberships/own-memberships.js';
import { listConsents, revokeConsent } from '../oauth/consents.js';
import { sessionRoutes } from '../sessions/sessions.pages.js';
import { twoStepRoutes } from '../two-step/two-step.routes.js';
import { exportRoutes } from '../user-export/user-export.pages.js';
import { profileRoutes } from '../users/profile.pages.js';
import { accountPage } from './account.pages.js';

/** Messages of the 404 responses, for developers. The page has its own wording. */
const NO_INVITATION = 'This account has no such invitation. The seller may have withdrawn it.';
const NO_MEMBERSHIP = 'This account has no such membership, or it has ended.';
const NO_SUBSCRIPTION = 'This account has no such subscription.';
const NO_ROLE = 'This account has no such role.';

export function accountRoutes(needs: Services): Router {
  return Router({ caseSensitive: true, strict: true }).use(
    overviewRoutes(needs),
    membershipRoutes(needs),
    roleRoutes(needs),
    ownPaymentRoutes(needs),
    profileRoutes(needs),
    emailRoutes(needs),
    sessionRoutes(needs),
    twoStepRoutes(needs),
    exportRoutes(needs),
    deleteAccountRoutes(needs),
  );
}

function overviewRoutes(needs: Services): Router {
  const { db, clock } = needs;
  return areaRoutes(needs, ACCOUNT_PATH, {
    [ACCOUNT_PATH]: { get: show },
    '/account/apps/revoke': { post: revokeApp },
    '/account/invitations/accept': { post: accept },
    '/account/invitations/decline': { post: decline },
  });

  async function show({ user, frame, query }: AreaRequest) {
    const now = clock.now();
    const after = readPosition(query.get('after'));
    const afterRole = readId(query.get('roles')) || undefined;
    const afterApp = query.get('apps') ?? undefined;
    return accountPage({
      frame,
      ...(await listOwnMemberships(db, user.id, { now, after })),
      isFirst: after === undefined,
      invitations: await listReceivedInvitations(db, user.email, now),
      roles: { ...(await listOwnRoles(db, user.id, afterRole)), isFirst: afterRole === undefined },
      apps: { ...(await listConsents(db, user.id, afterApp)), isFirst: afterApp === undefined },
      notice: accountNotice(query),
    });
  }

  async function revokeApp({ user, form }: AreaForm) {
    await revokeConsent(db, { userId: user.id, clientId: form.get('clientId') ?? '' }, clock.now());
    return `${ACCOUNT_PATH}?done=revoked`;
  }

  async function accept({ user, form, response }: AreaForm) {
    const key = { id: readId(form.get('invitation')), userId: user.id };
    const result = await acceptInvitation(db, key, clock.now());
    if (result.kind === 'accepted') return `${ACCOUNT_PATH}?done=accepted`;
    if (result.kind === 'unknown') throw notFound(NO_INVITATION);
    const obstacle =
      result.kind === 'renewing'
        ? {
            title: t('Cancel your subscription first'),
            text: t(
              'A subscription renews your membership of this community. Cancel it on your account page, then accept the invitation.',
            ),
          }
        : {
            title: t('You have too many roles'),
            text: t(
              'You have {max} roles, which is the maximum. Leave a role on your account page, then accept the invitation.',
              { max: result.max },
            ),
          };
    return sendMessage(response, 409, {
      ...obstacle,
      action: { href: ACCOUNT_PATH, label: t('Your account') },
    });
  }

  async function decline({ user, form }: AreaForm) {
    const key = { id: readId(form.get('invitation')), userId: user.id };
    if (!(await declineInvitation(db, key, clock.now()))) throw notFound(NO_INVITATION);
    return `${ACCOUNT_PATH}?done=declined`;
  }
}

function membershipRoutes(needs: Services): Router {
  type Subject = { key: { userId: string; membershipId: string } };
  const { db, clock } = needs;
  const one = '/account/memberships/:id';
  const subject = async ({ user, request }: AreaRequest) => ({
    key: { userId: user.id, membershipId: readId(request.params.id) },
  });
  const options = { home: ACCOUNT_PATH, subject };
  return areaRoutes<Subject>(needs, options, {
    [`${one}/cancel`]: { get: askToCancel, post: cancel },
    [`${one}/leave`]: { get: askToLeave, post: leave },
  });

  async function askToLeave({ frame, key }: AreaRequest & Subject) {
    const membership = await findOwnMembership(db, key, clock.now());
    if (membership === undefined || membership.isExpired) throw notFound(NO_MEMBERSHIP);
    return confirmPage({
      frame,
      ...inAccount(ACCOUNT_PATH),
      title: t('Leave and lose access?'),
      subject: membership.name,
      consequences: [
        ...(membership.isRenewing
          ? [
              t('Your subscription is cancelled too. You will not be charged again.'),
              t('To keep the time you paid for, cancel only the subscription on your account page.'),
            ]
          : []),
        t('You lose access at once, also to time or content that you paid for. There is no refund.'),
        t('To come back, you must buy again or accept a new invitation.'),
      ],
      action: `/account/memberships/${membership.id}/leave`,
      button: t('Leave now'),
      cancel: { href: ACCOUNT_PATH, label: t('Keep membership') },
    });
  }

  async function leave({ key }: Subject) {
    if (!(await leaveMembership(db, key, clock.now()))) throw notFound(NO_MEMBERSHIP);
    return `${ACCOUNT_PATH}?done=left`;
  }

  async function askToCancel({ frame, key }: AreaRequest & Subject) {
    const membership = await findRenewing(db, key, clock.now());
    if (membership === undefined) throw notFound(NO_SUBSCRIPTION);
    return confirmPage({
      frame,
      ...inAccount(ACCOUNT_PATH),
      title: t('Cancel subscription?'),
      subject: membership.name,
      consequences: [
        t('You keep access until the end of the period you paid for.'),
        t('You will not be charged again.'),
        t('To renew your access later, buy the plan again.'),
      ],
      action: `/account/memberships/${membership.id}/cancel`,
      button: t('Cancel subscription'),
      cancel: { href: ACCOUNT_PATH, label: t('Keep subscription') },
    });
  }

  async function cancel({ key }: Subject) {
    if (!(await cancelOwnSubscription(db, key, clock.now()))) throw notFound(NO_SUBSCRIPTION);
    return `${ACCOUNT_PATH}?done=cancelled`;
  }
}

/** Routes for giving up your own role in a community. The last active owner can't. */
function roleRoutes(needs: Services): Router {
  const { db } = needs;
  return areaRoutes(needs, ACCOUNT_PATH, {
    '/account/roles/:communityId/resign': { get: askToResign, post: resign },
  });

  async function askToResign({ user, frame, request }: AreaRequest) {
    const role = await findOwnRole(db, { communityId: readId(request.params.communityId), userId: user.id });
    if (role === undefined) throw notFound(NO_ROLE);
    return confirmPage({
      frame,
      ...inAccount(ACCOUNT_PATH),
      title: t('Leave your role?'),
      subject: role.name,
      consequences: [
        t('You and your API keys no longer have access to this community.'),
        t('Your webhooks of this community receive no more events.'),
        t('Your memberships stay.'),
        t('To get the role back, an owner must invite you again.'),
      ],
      action: `/account/roles/${role.id}/resign`,
      button: t('Leave role'),
      cancel: { href: ACCOUNT_PATH, label: t('Keep role') },
    });
  }

  async function resign({ user, request, response }: AreaForm) {
    const actor = { communityId: readId(request.params.communityId), userId: user.id };
    const decision = await resignRole(db, actor);
    if (decision.kind === 'changed') return `${ACCOUNT_PATH}?done=resigned`;
    if (decision.kind !== 'last-owner') throw notFound(NO_ROLE);
    return sendMessage(response, 409, {
      title: t('You are the only active owner'),
      text: t(
        'Without an owner nobody could manage this community. Invite another owner first, and leave once they have accepted. Or close the community.',
      ),
      action: { href: `/seller/communities/${actor.communityId}/roles`, label: t('View roles') },
      otherAction: {
        href: `/seller/communities/${actor.communityId}/close`,
        label: t('Close the community'),
      },
    });
  }
}
