import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { emailField } from '../../../domain/fields/fields.js';
import { listSentInvitations } from '../../../domain/invitations/invitation-list.js';
import { inviteMember } from '../../../domain/invitations/send-invitation.js';
import { exportMemberships } from '../../../domain/memberships/export-memberships.js';
import { countMembers, MEMBER_STATUSES } from '../../../domain/memberships/member-status.js';
import { listMembersByStatus, readMemberPosition } from '../../../domain/memberships/members-by-status.js';
import { accessWindowSchema } from '../../../domain/memberships/membership-grant.js';
import { listMemberships, searchMemberships } from '../../../domain/memberships/membership-list.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { sendCsv } from '../../ui/frame/send-csv.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../ui/parts/form-parts.js';
import { shownList } from '../../ui/parts/list-panel.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
} from '../frame/seller-request.js';
import { invitationError } from '../invitations/invitation-list.js';
import { type MemberFilter, NEW_MEMBER, newMemberPage, sellerMembersPage } from './member-pages.js';

/** Routes of the list of members, and of the form that invites one. */
export function memberRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/members': { get: list, post: invite },
    '/seller/communities/:communityId/members/new': { get: showNew },
    '/seller/communities/:communityId/members.csv': { get: sendMembers },
  });

  async function list({ community, page, query }: CommunityRequest) {
    const now = clock.now();
    const communityId = community.id;
    const status = MEMBER_STATUSES.find((one) => one === query.get('status'));
    const filter = { status, search: (query.get('q') ?? '').trim() };
    return sellerMembersPage({
      ...page,
      ...filter,
      baseUrl,
      now,
      memberships: await readMembers({ communityId, query, now }, filter),
      counts: filter.search === '' ? await countMembers(db, communityId, now) : undefined,
      invitations: await listSentInvitations(db, { communityId, kind: 'membership', now }),
    });
  }

  async function readMembers(
    { communityId, query, now }: { communityId: string; query: URLSearchParams; now: number },
    { status, search }: MemberFilter,
  ) {
    if (search !== '') {
      const rows = await searchMemberships(db, { communityId }, { text: search, status, now });
      return { rows, next: undefined, isFirst: true };
    }
    if (status === undefined) {
      return await shownList(query, (after) => listMemberships(db, { communityId }, after));
    }
    const after = readMemberPosition(query.get('after'));
    const found = await listMembersByStatus(db, { communityId, status, now }, after);
    return { ...found, isFirst: after === undefined };
  }

  async function sendMembers({ community, response }: CommunityRequest) {
    const lines = exportMemberships(db, { communityId: community.id }, { now: clock.now() });
    await sendCsv(response, `members-${community.id}`, lines);
  }

  function showNew({ page }: CommunityRequest) {
    return newMemberPage({ ...page, values: NEW_MEMBER.empty, submission: newSubmissionId() });
  }

  async function invite({ actor, form, page, path }: CommunityForm) {
    const submission = submissionIdOf(form);
    const now = clock.now();
    const refuse = (errors: FormError[]) =>
      newMemberPage({ ...page, values: NEW_MEMBER.read(form), submission, errors });
    const schema = accessWindowSchema
      .safeExtend({ email: emailField })
      .refine(({ validUntil }) => validUntil === null || validUntil > now, {
        path: ['validUntil'],
        error: 'Enter an end in the future.',
      });
    const read = NEW_MEMBER.parse(schema, form, { startsAt: now });
    if (read.kind === 'invalid') return refuse(read.errors);
    const { email, ...window } = read.value;
    const result = await submitOnce(db, {
      submission: { userId: actor.userId, id: submission },
      now,
      work: (transaction) => inviteMember(transaction, actor, { email, window, now }),
      hasEffect: ({ kind }) => kind === 'invited' || kind === 'granted',
    });
    switch (result.kind) {
      case 'unknown':
        throw notFound();
      case 'invited':
      case 'already-submitted':
        return doneAt(`${path}/members`, 'invited');
      case 'granted':
        return doneAt(`${path}/members/${result.membershipId}`, 'granted');
      case 'still-running': {
        const message = 'This user is already a member. Find the membership in the list to change its end.';
        return refuse([{ field: 'email', message }]);
      }
      default:
        return refuse([invitationError(result)]);
    }
  }
}
