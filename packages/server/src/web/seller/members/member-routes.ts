import { Router } from 'express';
import { listSentInvitations, withdrawInvitation } from '../../../domain/invitations/invitation-list.js';
import { inviteMember } from '../../../domain/invitations/invite-member.js';
import {
  changeMembership,
  type MembershipChange,
} from '../../../domain/memberships/administer-membership.js';
import { exportMemberships } from '../../../domain/memberships/export-memberships.js';
import {
  findListedMembership,
  type ListedMembership,
  listMemberships,
  searchMemberships,
} from '../../../domain/memberships/membership-list.js';
import type { Clock } from '../../../platform/clock.js';
import { readPosition } from '../../../platform/database/keyset.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendCsv } from '../../ui/frame/send-csv.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { instantInput } from '../../ui/parts/form.js';
import { sendOwnersOnly } from '../frame/owners-only.js';
import { type Done, noticeOf, redirectDone } from '../frame/seller-notices.js';
import { communityPath } from '../frame/seller-page.js';
import { communityForm, communityPage, readId } from '../frame/seller-request.js';
import { invitationError } from '../invitations/invitation-errors.js';
import { sellerInvitationsPage } from '../invitations/seller-invitations-page.js';
import { EMPTY_GRANT, type EndFields, readEnd, readGrant, typedGrant } from './membership-form.js';
import { type GrantFields, sellerMembersPage } from './seller-members-page.js';
import { sellerMembershipPage } from './seller-membership-page.js';

interface MemberRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

type MemberRequest = Parameters<Parameters<typeof communityPage>[1]>[0];

/** Routes of the members of a community. */
export function memberRoutes(needs: MemberRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const membership = '/seller/communities/:communityId/members/:membershipId';
  router
    .route('/seller/communities/:communityId/members')
    .get(showMembers(needs))
    .post(grant(needs))
    .all(methodNotAllowed('GET, POST'));
  router
    .route('/seller/communities/:communityId/invitations')
    .get(showInvitations(needs))
    .all(methodNotAllowed('GET'));
  router
    .route('/seller/communities/:communityId/invitations/withdraw')
    .post(withdraw(needs))
    .all(methodNotAllowed('POST'));
  router
    .route('/seller/communities/:communityId/members.csv')
    .get(sendExport(needs))
    .all(methodNotAllowed('GET'));
  router.route(membership).get(showMembership(needs)).all(methodNotAllowed('GET'));
  router.route(`${membership}/end`).post(setEnd(needs)).all(methodNotAllowed('POST'));
  router
    .route(`${membership}/end-now`)
    .post(change(needs, { kind: 'end-now' }, 'membership-ended'))
    .all(methodNotAllowed('POST'));
  router
    .route(`${membership}/cancel-subscription`)
    .post(change(needs, { kind: 'cancel-subscription' }, 'subscription-cancelled'))
    .all(methodNotAllowed('POST'));
  return router;
}

function showMembers(needs: MemberRoutesNeeds) {
  return communityPage(needs, async (request) => {
    await sendMembers(needs, request, { fields: EMPTY_GRANT });
  });
}

function sendExport(needs: MemberRoutesNeeds) {
  return communityPage(needs, async ({ community, response }) => {
    const lines = exportMemberships(needs.db, { communityId: community.id });
    await sendCsv(response, `members-${community.id}`, lines);
  });
}

function grant(needs: MemberRoutesNeeds) {
  const { db, clock } = needs;
  return communityForm(needs, async (request) => {
    const { community, actor, form, response } = request;
    const fields = typedGrant(form);
    const now = clock.now();
    const result = readGrant(fields, now);
    if (result.kind === 'invalid') {
      return await sendMembers(needs, request, { fields, errors: result.errors });
    }
    const { email, ...window } = result.value;
    const outcome = await inviteMember(db, actor, { email, window, now });
    const members = `${communityPath(community.id)}/members`;
    switch (outcome.kind) {
      case 'unknown':
        throw notFound();
      case 'invited':
        return redirectDone(response, members, 'invited');
      case 'granted':
        return redirectDone(response, `${members}/${outcome.membershipId}`, 'granted');
      case 'still-running': {
        const message = 'This user is already a member. Find the membership above to change its end.';
        return await sendMembers(needs, request, { fields, errors: [{ field: 'email', message }] });
      }
      default:
        await sendMembers(needs, request, { fields, errors: [invitationError(outcome)] });
    }
  });
}

function showInvitations(needs: MemberRoutesNeeds) {
  const { db, clock, baseUrl } = needs;
  return communityPage(needs, async ({ frame, community, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const list = { communityId: community.id, kind: 'membership', now: clock.now() } as const;
    const html = sellerInvitationsPage({
      frame,
      community,
      baseUrl,
      invitations: await listSentInvitations(db, list, after),
      isFirst: after === undefined,
    });
    sendPage(response, html);
  });
}

function withdraw(needs: MemberRoutesNeeds) {
  const { db, clock } = needs;
  return communityForm(needs, async ({ community, actor, form, response }) => {
    const invitation = { id: readId(form.get('invitation') ?? ''), now: clock.now() };
    const result = await withdrawInvitation(db, actor, invitation);
    if (result.kind === 'not-owner') return sendOwnersOnly(community, response);
    if (result.kind === 'unknown') throw notFound();
    const section = form.get('section') === 'roles' ? 'roles' : 'members';
    redirectDone(response, `${communityPath(community.id)}/${section}`, 'invitation-withdrawn');
  });
}

function showMembership(needs: MemberRoutesNeeds) {
  return communityPage(needs, async (request) => {
    const membership = await membershipOf(needs, request);
    if (membership === undefined) throw notFound();
    await sendMembership(needs, request, { membership, fields: fieldsOf(membership) });
  });
}

function setEnd(needs: MemberRoutesNeeds) {
  const { db, clock } = needs;
  return communityForm(needs, async (request) => {
    const { actor, form, response } = request;
    const membership = await membershipOf(needs, request);
    if (membership === undefined) throw notFound();
    const fields = { endsAt: form.get('endsAt') ?? '', forLife: form.get('forLife') === 'on' };
    const sendErrors = async (errors: FormError[]) =>
      await sendMembership(needs, request, { membership, fields, errors });
    const result = readEnd(fields);
    if (result.kind === 'invalid') return await sendErrors(result.errors);
    const outcome = await changeMembership(db, actor, {
      membershipId: membership.id,
      change: { kind: 'set-end', validUntil: result.value },
      now: clock.now(),
    });
    switch (outcome.kind) {
      case 'unknown':
        throw notFound();
      case 'no-time':
        return await sendErrors([{ field: 'endsAt', message: 'Enter an end after the start.' }]);
      case 'expired':
        return await sendErrors([
          { field: 'endsAt', message: 'This membership has ended. Invite the person again.' },
        ]);
      case 'renewing':
        return await sendErrors([
          { field: 'endsAt', message: 'Cancel the subscription first. It renews this membership.' },
        ]);
      default:
        redirectDone(response, membershipPath(request, membership.id), 'end-saved');
    }
  });
}

/** Creates the handlers of a change without input. A change that was already made also succeeds. */
function change(needs: MemberRoutesNeeds, wanted: MembershipChange, done: Done) {
  const { db, clock } = needs;
  return communityForm(needs, async (request) => {
    const membershipId = readId(request.request.params.membershipId);
    const outcome = await changeMembership(db, request.actor, {
      membershipId,
      change: wanted,
      now: clock.now(),
    });
    if (outcome.kind === 'unknown') throw notFound();
    redirectDone(request.response, membershipPath(request, membershipId), done);
  });
}

/** Sends a page of members, with the status 400 if there are errors. */
async function sendMembers(
  { db, clock, baseUrl }: MemberRoutesNeeds,
  { frame, community, request, response }: MemberRequest,
  { fields, errors }: { fields: GrantFields; errors?: FormError[] },
): Promise<void> {
  const query = requestQuery(request);
  const search = (query.get('q') ?? '').trim();
  const after = readPosition(query.get('after'));
  const subject = { communityId: community.id };
  const now = clock.now();
  const html = sellerMembersPage({
    frame,
    community,
    baseUrl,
    invitations: await listSentInvitations(db, { communityId: community.id, kind: 'membership', now }),
    memberships:
      search === ''
        ? await listMemberships(db, subject, after)
        : { rows: await searchMemberships(db, subject, { text: search, now }), next: undefined },
    isFirst: after === undefined,
    search,
    fields,
    now,
    notice: noticeOf(request),
    errors,
  });
  sendPage(response, html, { status: errors === undefined ? 200 : 400 });
}

/** Sends the page of a membership, with the status 400 if there are errors. */
async function sendMembership(
  { clock }: MemberRoutesNeeds,
  { frame, community, request, response }: MemberRequest,
  { membership, fields, errors }: { membership: ListedMembership; fields: EndFields; errors?: FormError[] },
): Promise<void> {
  const notice = noticeOf(request);
  const now = clock.now();
  const html = sellerMembershipPage({ frame, community, membership, fields, now, notice, errors });
  sendPage(response, html, { status: errors === undefined ? 200 : 400 });
}

async function membershipOf(
  { db }: MemberRoutesNeeds,
  { community, request }: MemberRequest,
): Promise<ListedMembership | undefined> {
  return await findListedMembership(db, { communityId: community.id }, readId(request.params.membershipId));
}

function fieldsOf({ validUntil }: ListedMembership): EndFields {
  return { endsAt: instantInput(validUntil), forLife: validUntil === null };
}

function membershipPath({ community }: MemberRequest, membershipId: string): string {
  return `${communityPath(community.id)}/members/${membershipId}`;
}
