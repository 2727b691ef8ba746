import { Router } from 'express';
import type { ComponentChildren } from 'preact';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { inAccount, PAYMENTS_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  type ProductPageProps,
  type ProductRequest,
  productPath,
  renderCommunityPage,
  renderProductPage,
  routesOfCommunity,
  routesOfProduct,
} from '../../web/kit/areas/seller-area.js';
import { PersonCell } from '../../web/kit/areas/seller-parts.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
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
import { exportSales, listOwnPayments, listSales, type OwnPayment, type Sale } from './sales.js';

export function salesRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db } = needs;
  const [community, product] = ['/seller/communities/:communityId', '/seller/products/:productId'];
  return Router({ caseSensitive: true, strict: true }).use(
    routesOfCommunity(needs, {
      [`${community}/sales`]: { get: (area) => list(area) },
      [`${community}/sales.csv`]: { get: (area) => send(area) },
    }),
    routesOfProduct(needs, {
      [`${product}/sales`]: { get: (area) => list(area) },
      [`${product}/sales.csv`]: { get: (area) => send(area) },
    }),
  );

  async function send(area: CommunityRequest | ProductRequest) {
    const { id } = 'product' in area ? area.product : area.community;
    await sendCsv(area.response, `payments-${id}`, exportSales(db, subjectOf(area)));
  }

  async function list(area: CommunityRequest | ProductRequest) {
    const sales = await shownList(area.query, (after) => listSales(db, subjectOf(area), after));
    return sellerSalesPage({ ...area.page, sales });
  }
}

function subjectOf(area: CommunityRequest | ProductRequest) {
  return 'product' in area ? { productId: area.product.id } : { communityId: area.community.id };
}

export function renderSalesPage(
  props: CommunityPageProps | ProductPageProps,
  content: { title: string; heading?: string; parent?: 'section'; children: ComponentChildren },
): Page {
  const page = { section: 'sales', ...content } as const;
  return 'product' in props
    ? renderProductPage({ ...props, ...page })
    : renderCommunityPage({ ...props, ...page });
}

export function sellerSalesPage(
  props: (CommunityPageProps | ProductPageProps) & { sales: ShownList<Sale> },
): Page {
  const { sales } = props;
  const hasPlans = 'community' in props;
  const path = `${hasPlans ? communityPath(props.community.id) : productPath(props.product.id)}/sales`;
  const emptyText = hasPlans
    ? t('Payments for your plans appear here, failed ones included.')
    : t('Payments for this product appear here, failed ones included.');
  const children = (
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
  return renderSalesPage(props, {
    title: t(hasPlans ? 'Sales' : 'Product sales'),
    heading: t('Sales'),
    children,
  });
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

export function ownPaymentRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  return areaRoutes(needs, PAYMENTS_PATH, { [PAYMENTS_PATH]: { get: show } });

  async function show({ user, frame, query }: AreaRequest) {
    const payments = await shownList(query, (after) => listOwnPayments(needs.db, user.id, after));
    return accountPaymentsPage({ frame, payments });
  }
}

export function accountPaymentsPage(props: PageProps & { payments: ShownList<OwnPayment> }): Page {
  return renderAreaPage({
    ...props,
    ...inAccount(PAYMENTS_PATH),
    title: t('Payments'),
    lead: t('What you paid for, and what you got back.'),
    children: (
      <ListPanel
        heading={t('Payments, newest first')}
        id="payments"
        label={t('Payments')}
        list={props.payments}
        columns={OWN_COLUMNS}
        empty={{ title: t('No payments'), text: t('What you pay for on this service appears here.') }}
        noMore={t('There are no older payments.')}
        path={PAYMENTS_PATH}
        first={phrase('newest')}
      />
    ),
  });
}

const OWN_COLUMNS: readonly Column<OwnPayment>[] = [
  {
    heading: phrase('For'),
    cell: ({ planName, productName, communityName }) => (
      <>
        <bdi>{planName ?? productName ?? t('A plan that no longer exists')}</bdi>
        {communityName !== null && (
          <p class="muted">
            <bdi>{communityName}</bdi>
          </p>
        )}
      </>
    ),
  },
  { heading: phrase('Date'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: phrase('Status'), cell: (payment) => <OwnStatus payment={payment} /> },
  amountColumn(phrase('Amount'), ({ amountMinor: minor, currency }) => ({ minor, currency })),
];

function OwnStatus({ payment }: { payment: OwnPayment }) {
  const { amountMinor, refundedMinor, currency, dispute } = payment;
  if (refundedMinor > 0 && refundedMinor >= amountMinor) return <Pill tone="neutral">{t('Refunded')}</Pill>;
  if (refundedMinor > 0)
    return (
      <>
        <Pill tone="neutral">{t('Partly refunded')}</Pill>
        <p class="muted">
          {t('{price} refunded', { price: <Money minor={refundedMinor} currency={currency} /> })}
        </p>
      </>
    );
  if (dispute === 'lost') return <Pill tone="neutral">{t('Returned by your bank')}</Pill>;
  return dispute === 'open' ? <Pill tone="warn">{t('Disputed')}</Pill> : <Pill tone="good">{t('Paid')}</Pill>;
}
