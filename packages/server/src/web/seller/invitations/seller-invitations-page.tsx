import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { Pager } from '../../ui/parts/pager.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { InvitationHint, InvitationRows } from './invitation-rows.js';

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
      <section class="panel" aria-labelledby="invited">
        <h2 id="invited">Newest first</h2>
        <InvitationHint baseUrl={props.baseUrl} />
        {invitations.rows.length === 0 ? (
          <p class="empty">There are no invitations.</p>
        ) : (
          <div class="panel-list">
            <InvitationRows
              invitations={invitations.rows}
              community={community}
              frame={frame}
              section="members"
            />
          </div>
        )}
        <Pager path={`${base}/invitations`} next={invitations.next} isFirst={props.isFirst} first="newest" />
      </section>
    ),
  });
}
