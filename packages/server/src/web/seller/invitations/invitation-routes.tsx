import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import {
  listSentInvitations,
  type SentInvitation,
  withdrawInvitation,
} from '../../../domain/invitations/invitation-list.js';
import { type ListPage, readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { sendOwnersOnly } from '../frame/owners-only.js';
import { redirectDone } from '../frame/seller-notices.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityForm, communityPage, readId } from '../frame/seller-request.js';
import { InvitationHint, InvitationTable } from './invitation-table.js';

/** Routes of the invitations of a community. */
export function invitationRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/invitations')
    .get(showInvitations(needs))
    .all(methodNotAllowed('GET'));
  router
    .route('/seller/communities/:communityId/invitations/withdraw')
    .post(withdraw(needs))
    .all(methodNotAllowed('POST'));
  return router;
}

function showInvitations(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
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

function withdraw(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
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

interface SellerInvitationsPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Origin of the service. */
  baseUrl: string;
  invitations: ListPage<SentInvitation>;
  isFirst: boolean;
}

/** Renders all invitations to a membership, newest first. `POST …/invitations/withdraw` with `invitation` and `section`. */
export function sellerInvitationsPage(props: SellerInvitationsPageProps): Page {
  const { community, invitations, frame } = props;
  const base = communityPath(community.id);
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: 'Invitations',
    parent: { href: `${base}/members`, label: 'Members' },
    children: (
      <Panel heading="Newest first">
        <InvitationHint baseUrl={props.baseUrl} />
        <InvitationTable
          label="Invitations"
          invitations={invitations.rows}
          community={community}
          frame={frame}
          section="members"
          empty={
            <EmptyState
              title="No invitations"
              text="Invitations appear here until they are accepted or expire."
              action={{ href: `${base}/members/new`, label: 'Invite a member' }}
            />
          }
        />
        <Pager path={`${base}/invitations`} next={invitations.next} isFirst={props.isFirst} first="newest" />
      </Panel>
    ),
  });
}
