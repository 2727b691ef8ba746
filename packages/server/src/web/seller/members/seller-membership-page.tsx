import type { MemberPayment } from '../../../domain/checkout/sales.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import { membershipState } from '../../../domain/memberships/membership-state.js';
import type { Page } from '../../ui/frame/site.js';
import { CopyText } from '../../ui/parts/copy.js';
import { Panel } from '../../ui/parts/panel.js';
import { Time } from '../../ui/parts/time.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { personInWords } from '../frame/seller-wording.js';
import { MembershipPill } from './member-table.js';
import { ChangeEnd, EndNow, InviteAgain, Subscription } from './membership-actions.js';
import type { EndFields } from './membership-form.js';
import { MembershipHistory } from './membership-history.js';

/** Props of {@link sellerMembershipPage}. */
export interface SellerMembershipPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  membership: ListedMembership;
  /** Newest payments of the member. */
  payments: readonly MemberPayment[];
  fields: EndFields;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Renders a membership. `POST …/members/{id}/end` with `endsAt` or `forLife` (`on`), `POST …/members/{id}/end-now` and
 * `POST …/members/{id}/cancel-subscription` change it.
 */
export function sellerMembershipPage(props: SellerMembershipPageProps): Page {
  const { community, membership, now, frame } = props;
  const members = `${communityPath(community.id)}/members`;
  const person = personInWords(membership);
  const { isRenewing } = membership;
  const isOver = membershipState(membership, now) === 'expired';
  const canReturn = !isRenewing && isOver && !membership.isDeleted;
  const path = `${members}/${membership.id}`;
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: `Membership of ${person}`,
    heading: <bdi>{person}</bdi>,
    lead: (
      <>
        Member of <bdi>{community.name}</bdi>
      </>
    ),
    parent: { href: members, label: 'Members' },
    children: (
      <>
        <Facts membership={membership} now={now} />
        <MembershipHistory membership={membership} payments={props.payments} now={now} />
        {isRenewing && <Subscription frame={frame} path={path} membership={membership} />}
        {!isRenewing && !isOver && (
          <ChangeEnd frame={frame} path={path} fields={props.fields} errors={props.errors} />
        )}
        {canReturn && <InviteAgain href={`${members}/new`} />}
        {(isRenewing || !isOver) && <EndNow frame={frame} path={path} membership={membership} />}
      </>
    ),
  });
}

function Facts({ membership, now }: { membership: ListedMembership; now: number }) {
  const { validUntil } = membership;
  return (
    <Panel heading="Membership" actions={<MembershipPill membership={membership} now={now} />} id="facts">
      <dl class="facts">
        <dt>E-mail address</dt>
        <dd>
          <bdi>{membership.email ?? 'None'}</bdi>
        </dd>
        <dt>Messenger ID</dt>
        <dd>{membership.messengerUserId ?? 'None'}</dd>
        <dt>Plan</dt>
        <dd>
          <bdi>{membership.planName ?? 'None'}</bdi>
        </dd>
        <dt>Starts</dt>
        <dd>
          <Time at={membership.validFrom} />
        </dd>
        <dt>{membership.isRenewing ? 'Renews' : 'Ends'}</dt>
        <dd>{validUntil === null ? 'Never' : <Time at={validUntil} />}</dd>
        <dt>Subscription</dt>
        <dd>
          <SubscriptionState {...membership} />
        </dd>
        {membership.externalOrderId !== null && (
          <>
            <dt>External order ID</dt>
            <dd>
              <CopyText label="external order ID" value={membership.externalOrderId} />
            </dd>
          </>
        )}
        <dt>Membership ID</dt>
        <dd>
          <CopyText label="membership ID" value={membership.id} />
        </dd>
      </dl>
    </Panel>
  );
}

function SubscriptionState({ hasSubscription, subscriptionCancelledAt }: ListedMembership) {
  if (!hasSubscription) return <>None</>;
  if (subscriptionCancelledAt === null) return <>Active, renews automatically</>;
  return (
    <>
      Cancelled on <Time at={subscriptionCancelledAt} />
    </>
  );
}
