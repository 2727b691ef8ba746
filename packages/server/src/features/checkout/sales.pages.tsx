import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import {
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  renderCommunityPage,
  routesOfCommunity,
} from '../../web/kit/areas/seller-area.js';
import { PersonCell } from '../../web/kit/areas/seller-parts.js';
import { type Page, sendCsv } from '../../web/kit/frame/send-page.js';
import { ButtonLink } from '../../web/kit/parts/form-parts.js';
import {
  amountColumn,
  type Column,
  ListPanel,
  type ShownList,
  shownList,
} from '../../web/kit/parts/table.js';
import { Money, Pill, TextOrNone, Time } from '../../web/kit/parts/values.js';
import { NO_ACCESS } from '../charges/charges.js';
import { exportSales, listSales, type Sale } from './sales.js';

export function salesRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/sales': { get: list },
    '/seller/communities/:communityId/sales.csv': { get: send },
  });

  async function send({ community, response }: CommunityRequest) {
    await sendCsv(response, `payments-${community.id}`, exportSales(needs.db, { communityId: community.id }));
  }

  async function list({ community, page, query }: CommunityRequest) {
    const of = { communityId: community.id };
    return sellerSalesPage({
      ...page,
      sales: await shownList(query, (after) => listSales(needs.db, of, after)),
    });
  }
}

export function sellerSalesPage(props: CommunityPageProps & { sales: ShownList<Sale> }): Page {
  return renderCommunityPage({
    ...props,
    section: 'sales',
    title: t('Sales'),
    children: (
      <SalesList
        sales={props.sales}
        path={`${communityPath(props.community.id)}/sales`}
        hasPlans
        emptyText={t('Payments for your plans appear here, failed ones included.')}
      />
    ),
  });
}

export function SalesList(props: {
  sales: ShownList<Sale>;
  path: string;
  hasPlans: boolean;
  emptyText: string;
}) {
  const { sales, path, hasPlans, emptyText } = props;
  return (
    <ListPanel
      heading={t('Payments, newest first')}
      id="payments"
      label={t('Payments')}
      list={sales}
      columns={columnsOf(sales.rows, { hasPlans, path })}
      actions={
        sales.rows.length > 0 && <ButtonLink isSmall href={`${path}.csv`} label={t('Download as CSV')} />
      }
      empty={{ title: t('No payments yet'), text: emptyText }}
      noMore={t('There are no older payments.')}
      path={path}
      first={phrase('newest')}
    />
  );
}

function columnsOf(
  sales: readonly Sale[],
  { hasPlans, path }: { hasPlans: boolean; path: string },
): Column<Sale>[] {
  const hasSources = sales.some(({ utmSource }) => utmSource !== null);
  return [
    { heading: phrase('Buyer'), cell: (sale) => <PersonCell person={sale} /> },
    ...(hasPlans
      ? [{ heading: phrase('Plan'), cell: ({ planName }: Sale) => <TextOrNone text={planName} /> }]
      : []),
    {
      heading: phrase('Status'),
      cell: (sale) => (
        <>
          <PaymentPill payment={sale} />
          <PaymentReason payment={sale} />
        </>
      ),
    },
    ...(hasSources
      ? [{ heading: phrase('Source'), cell: ({ utmSource }: Sale) => <TextOrNone text={utmSource} /> }]
      : []),
    {
      heading: phrase('Date'),
      cell: ({ id, createdAt }) => (
        <a href={`${path}/${id}`}>
          <Time at={createdAt} />
        </a>
      ),
    },
    amountColumn(phrase('Amount'), ({ amountMinor: minor, currency }) => ({ minor, currency })),
  ];
}

export interface PaymentState
  extends Pick<Sale, 'status' | 'reason' | 'amountMinor' | 'refundedMinor' | 'dispute'> {
  readonly currency: string;
}

export function PaymentPill({ payment }: { payment: PaymentState }) {
  const { status, amountMinor, refundedMinor, dispute } = payment;
  if (status === 'failed') return <Pill tone="bad">{t('Failed')}</Pill>;
  if (dispute === 'lost') return <Pill tone="bad">{t('Dispute lost')}</Pill>;
  if (dispute === 'open') return <Pill tone="warn">{t('Disputed')}</Pill>;
  if (refundedMinor > 0 && refundedMinor >= amountMinor) return <Pill tone="neutral">{t('Refunded')}</Pill>;
  if (refundedMinor > 0) return <Pill tone="neutral">{t('Partly refunded')}</Pill>;
  return <Pill tone="good">{t('Paid')}</Pill>;
}

export function PaymentReason({ payment }: { payment: PaymentState }) {
  const { refundedMinor, amountMinor, currency } = payment;
  if (refundedMinor > 0 && refundedMinor < amountMinor)
    return (
      <p class="muted">
        {t('{price} refunded', { price: <Money minor={refundedMinor} currency={currency} /> })}
      </p>
    );
  if (payment.reason === NO_ACCESS)
    return (
      <p class="muted">{t(refundedMinor === 0 ? 'gave no access, and is refunded' : 'gave no access')}</p>
    );
  if (payment.status !== 'failed') return null;
  return (
    <p class="muted">
      <bdi>{payment.reason?.replaceAll('_', ' ') ?? t('no reason given')}</bdi>
    </p>
  );
}
