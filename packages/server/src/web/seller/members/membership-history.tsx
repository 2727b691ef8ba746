import type { ComponentChildren } from 'preact';
import type { MemberPayment } from '../../../domain/checkout/sales.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import { Money } from '../../ui/parts/money.js';
import { Panel } from '../../ui/parts/panel.js';
import { Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { PaymentPill, PaymentReason } from '../sales/payment-status.js';

interface HistoryEvent {
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
  text: ComponentChildren;
  payment?: MemberPayment;
}

/** Payments of a member and changes of the membership, newest first. */
export function MembershipHistory(props: {
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
        rowKey={({ key }) => key}
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
