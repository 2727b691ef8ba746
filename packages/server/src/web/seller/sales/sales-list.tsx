import type { ComponentChildren } from 'preact';
import type { Sale } from '../../../domain/checkout/sales.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Money } from '../../ui/parts/money.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { PersonCell } from '../frame/person-cell.js';
import { PaymentPill, PaymentReason } from './payment-status.js';

/** Table of payments, newest first. */
export function SalesList(props: {
  sales: ListPage<Sale>;
  isFirst: boolean;
  path: string;
  /** True for the sales of plans. Products have none. */
  hasPlans: boolean;
  /** Explains how the first payment comes about. */
  emptyText: ComponentChildren;
}) {
  const { sales, isFirst, path } = props;
  return (
    <Panel heading="Payments, newest first" id="payments">
      <Table
        label="Payments"
        rows={sales.rows}
        rowKey={({ id }) => id}
        columns={columnsOf(sales.rows, props.hasPlans)}
        empty={
          isFirst ? (
            <EmptyState title="No payments yet" text={props.emptyText} />
          ) : (
            <EmptyState title="There are no older payments." />
          )
        }
      />
      <Pager path={path} next={sales.next} isFirst={isFirst} first="newest" />
    </Panel>
  );
}

/** Columns of the payments. Sources have one only if a payment has a source. */
function columnsOf(sales: readonly Sale[], hasPlans: boolean): Column<Sale>[] {
  const hasSources = sales.some(({ utmSource }) => utmSource !== null);
  return [
    { heading: 'Buyer', cell: (sale) => <PersonCell person={sale} />, isRowHeading: true },
    ...(hasPlans ? [{ heading: 'Plan', cell: ({ planName }: Sale) => <TextOrNone text={planName} /> }] : []),
    {
      heading: 'Status',
      cell: (sale) => (
        <>
          <PaymentPill status={sale.status} />
          <PaymentReason payment={sale} />
        </>
      ),
    },
    ...(hasSources
      ? [{ heading: 'Source', cell: ({ utmSource }: Sale) => <TextOrNone text={utmSource} /> }]
      : []),
    { heading: 'Date', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      heading: 'Amount',
      isNumeric: true,
      cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
    },
  ];
}

function TextOrNone({ text }: { text: string | null }) {
  return text === null ? <span class="muted">None</span> : <bdi>{text}</bdi>;
}
