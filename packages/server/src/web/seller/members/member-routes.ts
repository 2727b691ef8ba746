import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { listSentInvitations } from '../../../domain/invitations/invitation-list.js';
import { inviteMember } from '../../../domain/invitations/send-invitation.js';
import { exportMemberships } from '../../../domain/memberships/export-memberships.js';
import {
  countMembers,
  MEMBER_STATUSES,
  type MemberStatus,
} from '../../../domain/memberships/member-status.js';
import { listMembersByStatus, readMemberPosition } from '../../../domain/memberships/members-by-status.js';
import {
  type ListedMembership,
  listMemberships,
  searchMemberships,
} from '../../../domain/memberships/membership-list.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { type ListPage, readPosition } from '../../../platform/database/keyset.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendCsv } from '../../ui/frame/send-csv.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityForm, communityPage } from '../frame/seller-request.js';
import { invitationError } from '../invitations/invitation-errors.js';
import { EMPTY_GRANT, readGrant, typedGrant } from './membership-form.js';
import { newMemberPage } from './new-member-page.js';
import { sellerMembersPage } from './seller-members-page.js';

/** Routes of the list of members, and of the form that invites one. */
export function memberRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/members')
    .get(showMembers(needs))
    .post(grant(needs))
    .all(methodNotAllowed('GET, POST'));
  router
    .route('/seller/communities/:communityId/members/new')
    .get(showNew(needs))
    .all(methodNotAllowed('GET'));
  router
    .route('/seller/communities/:communityId/members.csv')
    .get(sendExport(needs))
    .all(methodNotAllowed('GET'));
  return router;
}

function showMembers(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock, baseUrl } = needs;
  return communityPage(needs, async ({ frame, community, request, response }) => {
    const query = requestQuery(request);
    const now = clock.now();
    const list = {
      communityId: community.id,
      status: statusOf(query.get('status')),
      search: (query.get('q') ?? '').trim(),
      start: query.get('after'),
      now,
    };
    const html = sellerMembersPage({
      frame,
      community,
      baseUrl,
      ...list,
      ...(await readMembers(db, list)),
      counts: list.search === '' ? await countMembers(db, community.id, now) : undefined,
      invitations: await listSentInvitations(db, { communityId: community.id, kind: 'membership', now }),
      notice: noticeOf(request),
    });
    sendPage(response, html);
  });
}

/** Status, search and start of the list of members. */
interface MemberList {
  communityId: string;
  status: MemberStatus | undefined;
  /** Empty without a search. */
  search: string;
  start: string | null;
  now: number;
}

async function readMembers(
  db: Database,
  { communityId, status, search, start, now }: MemberList,
): Promise<{ memberships: ListPage<ListedMembership>; isFirst: boolean }> {
  if (search !== '') {
    const rows = await searchMemberships(db, { communityId }, { text: search, status, now });
    return { memberships: { rows, next: undefined }, isFirst: true };
  }
  if (status === undefined) {
    const after = readPosition(start);
    return { memberships: await listMemberships(db, { communityId }, after), isFirst: after === undefined };
  }
  const after = readMemberPosition(start);
  const memberships = await listMembersByStatus(db, { communityId, status, now }, after);
  return { memberships, isFirst: after === undefined };
}

function statusOf(text: string | null): MemberStatus | undefined {
  return MEMBER_STATUSES.find((status) => status === text);
}

function sendExport(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async ({ community, response }) => {
    const lines = exportMemberships(needs.db, { communityId: community.id }, { now: needs.clock.now() });
    await sendCsv(response, `members-${community.id}`, lines);
  });
}

function showNew(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async ({ frame, community, response }) => {
    const page = { frame, community, fields: EMPTY_GRANT, submission: newSubmissionId() };
    sendPage(response, newMemberPage(page));
  });
}

function grant(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async ({ frame, community, actor, form, response }) => {
    const submission = submissionIdOf(form);
    const now = clock.now();
    const sendErrors = (errors: FormError[]) => {
      const page = { frame, community, fields: typedGrant(form), submission, errors };
      sendPage(response, newMemberPage(page), { status: 400 });
    };
    const read = readGrant(form, now);
    if (read.kind === 'invalid') return sendErrors(read.errors);
    const { email, ...window } = read.value;
    const result = await submitOnce(db, {
      submission: { userId: actor.userId, id: submission },
      now,
      work: (transaction) => inviteMember(transaction, actor, { email, window, now }),
      hasEffect: ({ kind }) => kind === 'invited' || kind === 'granted',
    });
    const members = `${communityPath(community.id)}/members`;
    switch (result.kind) {
      case 'unknown':
        throw notFound();
      case 'invited':
      case 'already-submitted':
        return redirectDone(response, members, 'invited');
      case 'granted':
        return redirectDone(response, `${members}/${result.membershipId}`, 'granted');
      case 'still-running': {
        const message = 'This user is already a member. Find the membership in the list to change its end.';
        return sendErrors([{ field: 'email', message }]);
      }
      default:
        sendErrors([invitationError(result)]);
    }
  });
}
