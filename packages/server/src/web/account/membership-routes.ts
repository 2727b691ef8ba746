import { uuidField } from '@latchkey/contract';
import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import {
  cancelOwnSubscription,
  findOwnMembership,
  findRenewing,
  leaveMembership,
} from '../../domain/memberships/own-memberships.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { confirmPage } from '../ui/frame/confirm-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

const HOME = '/account';

interface MembershipParams extends Record<string, string> {
  id: string;
}

/** Routes that cancel a subscription, whose paid period stays, and that leave a membership at once. */
export function membershipRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/account/memberships/:id/cancel')
    .get(askToCancel(needs))
    .post(cancel(needs))
    .all(methodNotAllowed('GET, POST'));
  router
    .route('/account/memberships/:id/leave')
    .get(askToLeave(needs))
    .post(leave(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function askToLeave(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaPage<MembershipParams>(needs, async ({ user, frame, request, response }) => {
    const key = { userId: user.id, membershipId: idOf(request.params) };
    const membership = await findOwnMembership(db, key, clock.now());
    if (membership === undefined || membership.isExpired) throw noSuchMembership();
    const html = confirmPage({
      frame,
      area: 'account',
      sections: ACCOUNT_SECTIONS,
      section: HOME,
      title: 'Leave and lose access?',
      subject: membership.name,
      consequences: [
        ...(membership.isRenewing
          ? [
              'Your subscription is cancelled too. You will not be charged again.',
              'To keep the time you paid for, cancel only the subscription on your account page.',
            ]
          : []),
        'You lose access at once, also to time or content that you paid for. There is no refund.',
        'To come back, you must buy again or accept a new invitation.',
      ],
      action: `/account/memberships/${membership.id}/leave`,
      button: 'Leave now',
      cancel: { href: HOME, label: 'Keep membership' },
    });
    sendPage(response, html);
  });
}

function leave(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaForm<MembershipParams>(needs, HOME, async ({ user, request, response }) => {
    const key = { userId: user.id, membershipId: idOf(request.params) };
    if (!(await leaveMembership(db, key, clock.now()))) throw noSuchMembership();
    redirect(response, 303, `${HOME}?done=left`);
  });
}

function noSuchMembership() {
  return notFound('This account has no such membership, or it has ended.');
}

function askToCancel(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaPage<MembershipParams>(needs, async ({ user, frame, request, response }) => {
    const key = { userId: user.id, membershipId: idOf(request.params) };
    const membership = await findRenewing(db, key, clock.now());
    if (membership === undefined) {
      throw notFound('This account has no such subscription.');
    }
    const html = confirmPage({
      frame,
      area: 'account',
      sections: ACCOUNT_SECTIONS,
      section: HOME,
      title: 'Cancel subscription?',
      subject: membership.name,
      consequences: [
        'You keep access until the end of the period you paid for.',
        'You will not be charged again.',
        'To renew your access later, buy the plan again.',
      ],
      action: `/account/memberships/${membership.id}/cancel`,
      button: 'Cancel subscription',
      cancel: { href: HOME, label: 'Keep subscription' },
    });
    sendPage(response, html);
  });
}

function cancel(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaForm<MembershipParams>(needs, HOME, async ({ user, request, response }) => {
    const key = { userId: user.id, membershipId: idOf(request.params) };
    const cancelled = await cancelOwnSubscription(db, key, clock.now());
    if (cancelled) return redirect(response, 303, `${HOME}?done=cancelled`);
    throw notFound('This account has no such subscription.');
  });
}

/** Returns the id of the path in lower case, or an empty string, which matches no membership, if it is malformed. */
function idOf(params: MembershipParams): string {
  return uuidField.safeParse(params.id).data ?? '';
}
