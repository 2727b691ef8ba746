import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { listMemberPayments } from '../../../domain/checkout/sales.js';
import {
  changeMembership,
  type MembershipChange,
} from '../../../domain/memberships/administer-membership.js';
import { findListedMembership, type ListedMembership } from '../../../domain/memberships/membership-list.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { readId } from '../../sign-in/area-route.js';
import type { FormValues } from '../../ui/parts/define-form.js';
import { dateFieldOf, UnreadableText } from '../../ui/parts/form.js';
import type { FormError } from '../../ui/parts/form-parts.js';
import {
  type CommunityForm,
  type CommunityRequest,
  type Done,
  doneAt,
  routesOfCommunity,
} from '../frame/seller-request.js';
import { END, sellerMembershipPage } from './membership-page.js';

/** Messages for a new end that the membership cannot have, by the result of the change. */
const END_REFUSED: Readonly<Record<string, string>> = {
  'no-time': 'Enter an end after the start.',
  expired: 'This membership has ended. Invite the person again.',
  renewing: 'Cancel the subscription first. It renews this membership.',
};

/** Routes of one membership of a community. */
export function membershipRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/members/:membershipId': { get: show },
    '/seller/communities/:communityId/members/:membershipId/end': { post: setEnd },
    '/seller/communities/:communityId/members/:membershipId/end-now': {
      post: (area) => change(area, { kind: 'end-now' }, 'membership-ended'),
    },
    '/seller/communities/:communityId/members/:membershipId/cancel-subscription': {
      post: (area) => change(area, { kind: 'cancel-subscription' }, 'subscription-cancelled'),
    },
  });

  async function show(area: CommunityRequest) {
    const membership = await membershipOf(area);
    const { validUntil } = membership;
    const values = { endsAt: validUntil, forLife: validUntil === null };
    return await membershipPage(area, { membership, values });
  }

  async function setEnd(area: CommunityForm) {
    const { actor, form, path } = area;
    const membership = await membershipOf(area);
    const refuse = (message: string) =>
      membershipPage(area, { membership, values: END.read(form), errors: [{ field: 'endsAt', message }] });
    const end = dateFieldOf(form, 'endsAt', null);
    const isForLife = form.get('forLife') === 'on';
    if (end instanceof UnreadableText) return await refuse(end.message);
    if (isForLife && end !== null) return await refuse('Enter an end or choose lifetime, not both.');
    if (!isForLife && end === null) return await refuse('Enter an end, or choose lifetime.');
    const { kind } = await changeMembership(db, actor, {
      membershipId: membership.id,
      change: { kind: 'set-end', validUntil: end },
      now: clock.now(),
    });
    if (kind === 'unknown') throw notFound();
    const message = END_REFUSED[kind];
    if (message !== undefined) return await refuse(message);
    return doneAt(`${path}/members/${membership.id}`, 'end-saved');
  }

  /** Makes a change without input. A change that was already made also succeeds. */
  async function change({ actor, path, request }: CommunityForm, wanted: MembershipChange, done: Done) {
    const membershipId = readId(request.params.membershipId);
    const result = await changeMembership(db, actor, { membershipId, change: wanted, now: clock.now() });
    if (result.kind === 'unknown') throw notFound();
    return doneAt(`${path}/members/${membershipId}`, done);
  }

  async function membershipPage(
    { community, page }: CommunityRequest,
    form: { membership: ListedMembership; values: FormValues<typeof END>; errors?: FormError[] },
  ) {
    const key = { communityId: community.id, membershipId: form.membership.id };
    const payments = await listMemberPayments(db, key);
    return sellerMembershipPage({ ...page, ...form, payments, now: clock.now() });
  }

  async function membershipOf({ community, request }: CommunityRequest) {
    const id = readId(request.params.membershipId);
    const membership = await findListedMembership(db, { communityId: community.id }, id);
    if (membership === undefined) throw notFound();
    return membership;
  }
}
