import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { inAccount, PAYMENTS_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import {
  amountColumn,
  type Column,
  ListPanel,
  type ShownList,
  shownList,
} from '../../web/kit/parts/table.js';
import { Money, Pill, Time } from '../../web/kit/parts/values.js';
import { listOwnPayments, type OwnPayment } from './sales.js';

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
        columns={COLUMNS}
        empty={{ title: t('No payments'), text: t('What you pay for on this service appears here.') }}
        noMore={t('There are no older payments.')}
        path={PAYMENTS_PATH}
        first={phrase('newest')}
      />
    ),
  });
}

const COLUMNS: readonly Column<OwnPayment>[] = [
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
  { heading: phrase('Status'), cell: (payment) => <Status payment={payment} /> },
  amountColumn(phrase('Amount'), ({ amountMinor: minor, currency }) => ({ minor, currency })),
];

function Status({ payment }: { payment: OwnPayment }) {
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
