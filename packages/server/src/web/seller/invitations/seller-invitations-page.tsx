import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { InvitationHint, InvitationTable } from './invitation-table.js';

/** Props of {@link sellerInvitationsPage}. */
export interface SellerInvitationsPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Origin of the service. */
  baseUrl: string;
  invitations: ListPage<SentInvitation>;
  /** True for the first page of the list. */
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
