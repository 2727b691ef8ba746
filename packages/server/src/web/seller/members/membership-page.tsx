import type { ComponentChildren } from 'preact';
import type { MemberPayment } from '../../../domain/checkout/sales.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import { membershipState } from '../../../domain/memberships/membership-state.js';
import type { Page } from '../../ui/frame/send-page.js';
import { date, defineForm, type FormValues, toggle } from '../../ui/parts/define-form.js';
import { ActionForm, ButtonLink, PostForm } from '../../ui/parts/form-parts.js';
import { Dialog, Panel } from '../../ui/parts/panel.js';
import { Table } from '../../ui/parts/table.js';
import { CopyText, Money, Time } from '../../ui/parts/values.js';
import { type CommunityPageProps, communityPath, renderCommunityPage } from '../frame/seller-page.js';
import { personInWords } from '../frame/seller-parts.js';
import { PaymentPill, PaymentReason } from '../sales/sales-list.js';
import { MembershipPill } from './member-columns.js';

/** Form of a new end. A blank end alone does not mean lifetime. */
export const END = defineForm({
  endsAt: date({ label: 'Ends', hint: 'Without a time, it ends as the day begins.' }),
  forLife: toggle({ label: 'Lifetime, without an end' }),
});

/**
 * Renders a membership. `POST …/members/{id}/end` with `endsAt` or `forLife` (`on`), `POST …/members/{id}/end-now` and
 * `POST …/members/{id}/cancel-subscription` change it.
 */
export function sellerMembershipPage(
  props: CommunityPageProps & {
    membership: ListedMembership;
    payments: readonly MemberPayment[];
    values: FormValues<typeof END>;
    now: number;
  },
): Page {
  const { community, membership, payments, now, frame } = props;
  const members = `${communityPath(community.id)}/members`;
  const path = `${members}/${membership.id}`;
  const person = personInWords(membership);
  const { isRenewing } = membership;
  const isOver = membershipState(membership, now) === 'expired';
  const action = { account: frame.account, path, membership };
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
        <MembershipHistory membership={membership} payments={payments} now={now} />
        {isRenewing && <Subscription {...action} />}
        {!isRenewing && !isOver && (
          <Panel heading="Change end" id="change-end">
            <PostForm action={`${path}/end`} account={frame.account} submit="Save end">
              {END.fields(props)}
            </PostForm>
          </Panel>
        )}
        {!isRenewing && isOver && !membership.isDeleted && <InviteAgain href={`${members}/new`} />}
        {(isRenewing || !isOver) && <EndNow {...action} />}
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

interface HistoryEvent {
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
  text: ComponentChildren;
  payment?: MemberPayment;
}

/** Payments of a member and changes of the membership, newest first. */
function MembershipHistory(props: {
  membership: ListedMembership;
  payments: readonly MemberPayment[];
  /** Milliseconds since the epoch. */
  now: number;
}) {
  return (
    <Panel heading="History" id="history">
      <Table
        label="History"
        rows={eventsOf(props)}
        columns={[
          { heading: 'Event', cell: ({ text }) => text, isRowHeading: true },
          { heading: 'Date', cell: ({ at }) => <Time at={at} /> },
          {
            heading: 'Amount',
            isNumeric: true,
            cell: ({ payment }) =>
              payment && <Money minor={payment.amountMinor} currency={payment.currency} />,
          },
        ]}
      />
    </Panel>
  );
}

function eventsOf({ membership, payments, now }: Parameters<typeof MembershipHistory>[0]): HistoryEvent[] {
  const { validFrom, validUntil, subscriptionCancelledAt } = membership;
  const events: HistoryEvent[] = [
    { key: 'start', at: validFrom, text: validFrom > now ? 'Membership will start' : 'Membership started' },
    ...payments.map((payment) => ({
      key: payment.id,
      at: payment.createdAt,
      text: <PaymentText payment={payment} />,
      payment,
    })),
  ];
  if (subscriptionCancelledAt !== null) {
    events.push({ key: 'cancelled', at: subscriptionCancelledAt, text: 'Subscription cancelled' });
  }
  if (validUntil !== null && validUntil <= now) {
    events.push({ key: 'end', at: validUntil, text: 'Membership ended' });
  }
  return events.sort((one, other) => other.at - one.at);
}

function PaymentText({ payment }: { payment: MemberPayment }) {
  return (
    <>
      Payment
      {payment.planName !== null && (
        <>
          {' for '}
          <bdi>{payment.planName}</bdi>
        </>
      )}{' '}
      <PaymentPill status={payment.status} />
      <PaymentReason payment={payment} />
    </>
  );
}

interface Action {
  account: string;
  /** Path of the membership. */
  path: string;
  membership: ListedMembership;
}

/** Cancellation of the subscription that renews a membership. */
function Subscription({ account, path, membership }: Action) {
  return (
    <Panel heading="Subscription" id="subscription">
      <p class="muted">
        Each payment sets the end of this membership. To change the end yourself, cancel the subscription
        first.
      </p>
      <div class="panel-actions">
        <Dialog
          id="cancel-subscription"
          button="Cancel subscription…"
          buttonKind="danger"
          title="Cancel the subscription?"
        >
          <ul class="notes">
            <li>
              The membership stays active{' '}
              {membership.validUntil === null ? (
                'until the end of the paid period'
              ) : (
                <>
                  until <Time at={membership.validUntil} />
                </>
              )}
              , and then ends.
            </li>
            <li>The member pays nothing more.</li>
            <li>You can't restart the subscription. The member can buy a plan again.</li>
          </ul>
          <ActionForm
            action={`${path}/cancel-subscription`}
            account={account}
            label="Cancel subscription"
            about="for good"
            isDanger
          />
        </Dialog>
      </div>
    </Panel>
  );
}

/** Way back for a former member. */
function InviteAgain({ href }: { href: string }) {
  return (
    <Panel heading="Invite again" id="again">
      <p class="muted">
        This membership has ended. Its end can't be changed any more, because the member may have left. They
        can accept a new invitation.
      </p>
      <div class="panel-actions">
        <ButtonLink isSmall href={href}>
          Invite again
        </ButtonLink>
      </div>
    </Panel>
  );
}

/** End of a membership at once, after its consequences. */
function EndNow({ account, path, membership }: Action) {
  const person = personInWords(membership);
  return (
    <Panel heading="End membership" tone="danger" id="end-now">
      <p class="muted">The member loses access at once, even in a paid period.</p>
      <div class="panel-actions">
        <Dialog
          id="end-membership"
          button="End membership…"
          buttonKind="danger"
          title="End this membership now?"
        >
          <ul class="notes">
            <li>
              <bdi>{person}</bdi> loses access at once, even in a paid period.
            </li>
            {membership.isRenewing && <li>The subscription is cancelled. Nothing more is charged.</li>}
            <li>Earlier payments are not refunded.</li>
            <li>To restore access, you must invite them again.</li>
          </ul>
          <ActionForm action={`${path}/end-now`} account={account} label="End membership now" isDanger />
        </Dialog>
      </div>
    </Panel>
  );
}
