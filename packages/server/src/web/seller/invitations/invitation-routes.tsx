import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import {
  listSentInvitations,
  type SentInvitation,
  withdrawInvitation,
} from '../../../domain/invitations/invitation-list.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { readId } from '../../sign-in/area-route.js';
import type { Page } from '../../ui/frame/send-page.js';
import { ListPanel, type ShownList, shownList } from '../../ui/parts/list-panel.js';
import { type CommunityPageProps, communityPath, renderCommunityPage } from '../frame/seller-page.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
  sendOwnersOnly,
} from '../frame/seller-request.js';
import { InvitationHint, invitationColumns } from './invitation-list.js';

/** Routes of the invitations of a community. */
export function invitationRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/invitations': { get: list },
    '/seller/communities/:communityId/invitations/withdraw': { post: withdraw },
  });

  async function list({ community, page, query }: CommunityRequest) {
    const of = { communityId: community.id, kind: 'membership', now: clock.now() } as const;
    const invitations = await shownList(query, (after) => listSentInvitations(db, of, after));
    return sellerInvitationsPage({ ...page, baseUrl, invitations });
  }

  async function withdraw(area: CommunityForm) {
    const { actor, form, path } = area;
    const id = readId(form.get('invitation'));
    const result = await withdrawInvitation(db, actor, { id, now: clock.now() });
    if (result.kind === 'not-owner') return sendOwnersOnly(area);
    if (result.kind === 'unknown') throw notFound();
    const section = form.get('section') === 'roles' ? 'roles' : 'members';
    return doneAt(`${path}/${section}`, 'invitation-withdrawn');
  }
}

/** Renders all invitations to a membership, newest first. `POST …/invitations/withdraw` with `invitation` and `section`. */
export function sellerInvitationsPage(
  props: CommunityPageProps & { baseUrl: string; invitations: ShownList<SentInvitation> },
): Page {
  const { community, invitations, frame } = props;
  const base = communityPath(community.id);
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: 'Invitations',
    parent: { href: `${base}/members`, label: 'Members' },
    children: (
      <ListPanel
        heading="Newest first"
        label="Invitations"
        list={invitations}
        columns={invitationColumns({ community, frame, section: 'members' })}
        empty={{
          title: 'No invitations',
          text: 'Invitations appear here until they are accepted or expire.',
          action: { href: `${base}/members/new`, label: 'Invite a member' },
        }}
        path={`${base}/invitations`}
        first="newest"
      >
        <InvitationHint baseUrl={props.baseUrl} />
      </ListPanel>
    ),
  });
}
