import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import { membershipState } from '../../../domain/memberships/membership-state.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Confirm } from '../../ui/parts/confirm.js';
import { Switch, TextField } from '../../ui/parts/form-field.js';
import { PlainDateTime } from '../../ui/parts/plain-time.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { personInWords } from '../frame/seller-wording.js';
import { MembershipTag } from './member-rows.js';

/** Props of {@link sellerMembershipPage}. */
export interface SellerMembershipPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  membership: ListedMembership;
  /** Raw values of the form of the end. */
  fields: { endsAt: string; forLife: boolean };
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Renders a membership. `POST …/members/{id}/end` with `endsAt` or `forLife` (`on`), `POST …/members/{id}/end-now` and
 * `POST …/members/{id}/cancel-subscription` change it.
 */
export function sellerMembershipPage(props: SellerMembershipPageProps): Page {
  const { community, membership, now } = props;
  const members = `${communityPath(community.id)}/members`;
  const person = personInWords(membership);
  const { isRenewing } = membership;
  const isOver = membershipState(membership, now) === 'expired';
  const path = `${members}/${membership.id}`;
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: `Membership of ${person}`,
    heading: (
      <>
        Membership of <bdi>{person}</bdi>
      </>
    ),
    parent: { href: members, label: 'Members' },
    children: (
      <>
        <Facts membership={membership} now={now} />
        {isRenewing && <Subscription {...props} path={path} />}
        {!isRenewing && !isOver && <End {...props} path={path} />}
        {!isRenewing && isOver && <InviteAgain members={members} />}
        {(isRenewing || !isOver) && <EndNow {...props} path={path} />}
      </>
    ),
  });
}

function Facts({ membership, now }: { membership: ListedMembership; now: number }) {
  return (
    <section class="panel" aria-labelledby="facts">
      <div class="panel-heading">
        <h2 id="facts">Membership</h2>
        <MembershipTag membership={membership} now={now} />
      </div>
      <dl class="facts">
        <dt>E-mail address</dt>
        <dd>
          <bdi>{membership.email ?? 'None'}</bdi>
        </dd>
        <dt>Messenger id</dt>
        <dd>{membership.messengerUserId ?? 'None'}</dd>
        <dt>Starts</dt>
        <dd>
          <PlainDateTime at={membership.validFrom} />
        </dd>
        <dt>Ends</dt>
        <dd>{membership.validUntil === null ? 'Never' : <PlainDateTime at={membership.validUntil} />}</dd>
        <dt>Plan</dt>
        <dd>
          <bdi>{membership.planName ?? 'None'}</bdi>
        </dd>
        <dt>Subscription</dt>
        <dd>
          <SubscriptionState {...membership} />
        </dd>
        {membership.externalOrderId !== null && (
          <>
            <dt>External order ID</dt>
            <dd>
              <code class="copyable">{membership.externalOrderId}</code>
            </dd>
          </>
        )}
        <dt>Membership ID</dt>
        <dd>
          <code class="copyable">{membership.id}</code>
        </dd>
      </dl>
    </section>
  );
}

function SubscriptionState({ hasSubscription, subscriptionCancelledAt }: ListedMembership) {
  if (!hasSubscription) return <>None</>;
  if (subscriptionCancelledAt === null) return <>Active, renews automatically</>;
  return (
    <>
      Cancelled on <PlainDateTime at={subscriptionCancelledAt} />
    </>
  );
}

function Subscription({ frame, path }: SellerMembershipPageProps & { path: string }) {
  return (
    <section class="panel" aria-labelledby="subscription">
      <h2 id="subscription">Subscription</h2>
      <p class="muted">
        Each payment sets the end of this membership. To change the end yourself, cancel the subscription
        first.
      </p>
      <div class="panel-actions">
        <Confirm
          label="Cancel subscription"
          text="The membership stays active until the end of the paid period and does not renew."
        >
          <ActionForm
            action={`${path}/cancel-subscription`}
            account={frame.account}
            label="Cancel subscription"
            about="for good"
            isDanger
          />
        </Confirm>
      </div>
    </section>
  );
}

function End({ frame, fields, errors, path }: SellerMembershipPageProps & { path: string }) {
  return (
    <section class="panel" aria-labelledby="change-end">
      <h2 id="change-end">Change end</h2>
      <form class="form" method="post" action={`${path}/end`}>
        <AccountField account={frame.account} />
        <TextField
          name="endsAt"
          label="Ends (UTC)"
          type="datetime-local"
          value={fields.endsAt}
          errors={errors}
        />
        <Switch name="forLife" label="Lifetime, without an end" checked={fields.forLife} errors={errors} />
        <div class="form-actions">
          <button class="button primary" type="submit">
            Save end
          </button>
        </div>
      </form>
    </section>
  );
}

function InviteAgain({ members }: { members: string }) {
  return (
    <section class="panel" aria-labelledby="again">
      <h2 id="again">Invite again</h2>
      <p class="muted">
        This membership has ended. Its end can't be changed any more, because the member may have left. They
        can accept a new invitation.
      </p>
      <div class="panel-actions">
        <a class="button secondary small" href={`${members}#grant`}>
          Invite again
        </a>
      </div>
    </section>
  );
}

function EndNow({ frame, path }: SellerMembershipPageProps & { path: string }) {
  return (
    <section class="panel" aria-labelledby="end-now">
      <h2 id="end-now">End membership</h2>
      <p class="muted">
        The member loses access at once, even in a paid period. A subscription is cancelled too.
      </p>
      <div class="panel-actions">
        <Confirm
          label="End membership…"
          text="The member loses access at once. To restore it, you must invite them again."
        >
          <ActionForm
            action={`${path}/end-now`}
            account={frame.account}
            label="End membership now"
            isDanger
          />
        </Confirm>
      </div>
    </section>
  );
}
