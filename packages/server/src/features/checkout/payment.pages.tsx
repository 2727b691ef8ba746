import { randomUUID } from 'node:crypto';
import { UUID } from '@latchkey/contract/constants';
import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  doneAt,
  type ProductForm,
  type ProductPageProps,
  type ProductRequest,
  routesOfCommunity,
  routesOfProduct,
} from '../../web/kit/areas/seller-area.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { MoneyField } from '../../web/kit/parts/form-field.js';
import { type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { Notes, Panel } from '../../web/kit/parts/panel.js';
import { amountColumn, Table } from '../../web/kit/parts/table.js';
import { CopyText, Facts, Money, Pill, Time } from '../../web/kit/parts/values.js';
import { NO_ACCESS } from '../charges/charges.js';
import { parsePrice, priceInput } from '../plans/price.js';
import { sendWait } from '../sign-in/too-many-codes.pages.js';
import {
  isAutomatic,
  leftToRefund,
  listRefunds,
  ownPayment,
  type Refunder,
  type RefundObstacle,
  refundObstacle,
  requestRefund,
} from './refunds.js';
import { PaymentPill, PaymentReason, renderSalesPage } from './sales.pages.js';

type Payment = NonNullable<Awaited<ReturnType<typeof ownPayment>>>;
type Refund = Awaited<ReturnType<typeof listRefunds>>[number];

const OBSTACLES: Readonly<Record<RefundObstacle, string>> = {
  'not-paid': phrase('Nothing was charged, so there is nothing to refund.'),
  free: phrase('It was free, so there is nothing to refund.'),
  'other-provider': phrase('It was made with another payment provider. Refund it there.'),
  disputed: phrase(
    'The buyer disputes it with their bank, which moves the money. A refund would pay it back twice.',
  ),
  refunded: phrase('The whole payment was refunded.'),
};

interface PaymentPageProps {
  payment: Payment;
  refunds: readonly Refund[];
  obstacle: RefundObstacle | undefined;
  path: string;
  amount: string;
  submission: string;
}

export function sellerPaymentPage(props: (CommunityPageProps | ProductPageProps) & PaymentPageProps): Page {
  const { payment, refunds, obstacle, path, amount, submission } = props;
  const { amount_minor: amountMinor, refunded_minor: refundedMinor, currency, reference } = payment;
  const state = { ...payment, amountMinor, refundedMinor };
  const left = leftToRefund(payment, refunds);
  const isPartlyRefunded = refundedMinor > 0 && refundedMinor < amountMinor;
  const hasReason = payment.reason !== null && !isPartlyRefunded;
  const facts = {
    [t('Status')]: hasReason && <PaymentReason payment={state} />,
    [t('Amount')]: <Money minor={amountMinor} currency={currency} />,
    [t('Refunded')]: <Money minor={refundedMinor} currency={currency} />,
    [t('Date')]: <Time at={payment.created_at} />,
    [t('Provider reference')]: reference !== null && (
      <CopyText label={t('provider reference')} value={reference} />
    ),
    [t('Payment ID')]: <CopyText label={t('payment ID')} value={payment.id} />,
  };
  const children = (
    <>
      <Panel heading={t('Payment')} id="payment" actions={<PaymentPill payment={state} />}>
        <Facts facts={facts} />
      </Panel>
      {refunds.length > 0 && <Refunds refunds={refunds} currency={currency} />}
      <Panel heading={t('Refund')} id="refund">
        {obstacle !== undefined || left === 0 ? (
          <p class="muted">
            {obstacle === undefined
              ? t('All of it is on its way back to the buyer.')
              : t(OBSTACLES[obstacle])}
          </p>
        ) : (
          <PostForm action={`${path}/refund`} submission={submission} submit={t('Refund')} kind="danger">
            <Consequences payment={payment} />
            <MoneyField
              name="amount"
              label={t('Amount')}
              hint={t('At most {amount}, which is what is left.', { amount: priceInput(left, currency) })}
              value={amount}
              currency={currency}
              required
            />
          </PostForm>
        )}
      </Panel>
    </>
  );
  return renderSalesPage(props, { title: t('Payment'), parent: 'section', children });
}

function Consequences({ payment }: { payment: Payment }) {
  return (
    <Notes
      notes={[
        ...(payment.reason === NO_ACCESS
          ? [t('This payment gave no access, so a refund changes nothing about the membership.')]
          : [
              t(
                'If the whole payment goes back, the access that it paid for ends at once. If a subscription renews it, that is cancelled. Time from other payments stays.',
              ),
              t('If you refund a part, the buyer keeps the access, and a subscription goes on.'),
            ]),
        t("The buyer is told by e-mail. You can't take a refund back."),
      ]}
    />
  );
}

function Refunds({ refunds, currency }: { refunds: readonly Refund[]; currency: string }) {
  return (
    <Panel heading={t('Refunds')} id="refunds">
      <Table
        label={t('Refunds')}
        rows={refunds}
        columns={[
          { heading: phrase('Date'), cell: (refund) => <Time at={refund.created_at} /> },
          {
            heading: phrase('Status'),
            cell: ({ status, reason, ...refund }) => (
              <>
                <RefundPill status={status} />
                {isAutomatic(refund) && (
                  <p class="muted">{t('automatic, since the payment gave no access')}</p>
                )}
                {reason !== null && (
                  <p class="muted">
                    <bdi>{reason}</bdi>
                  </p>
                )}
              </>
            ),
          },
          amountColumn(phrase('Amount'), (refund: Refund) => ({ minor: refund.amount_minor, currency })),
        ]}
      />
    </Panel>
  );
}

function RefundPill({ status }: Pick<Refund, 'status'>) {
  if (status === 'failed') return <Pill tone="bad">{t('Failed')}</Pill>;
  return status === 'pending' ? (
    <Pill tone="warn">{t('Pending')}</Pill>
  ) : (
    <Pill tone="good">{t('Refunded')}</Pill>
  );
}

/** Routes of one payment of a community or a product. Each change checks the role again in its own transaction. */
export function paymentRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'payments'>): Router {
  const { clock, db, payments } = needs;
  const [community, product] = ['/seller/communities/:communityId', '/seller/products/:productId'];
  return Router({ caseSensitive: true, strict: true }).use(
    routesOfCommunity(needs, {
      [`${community}/sales/:paymentId`]: { get: (area) => show(area) },
      [`${community}/sales/:paymentId/refund`]: { post: refund },
    }),
    routesOfProduct(needs, {
      [`${product}/sales/:paymentId`]: { get: (area) => show(area) },
      [`${product}/sales/:paymentId/refund`]: { post: refund },
    }),
  );

  async function paymentOf(area: CommunityRequest | ProductRequest) {
    const refunder: Refunder =
      'product' in area ? { productId: area.product.id, userId: area.user.id } : area.actor;
    const payment = await ownPayment(db, refunder, readId(area.request.params.paymentId));
    if (payment === undefined) throw notFound();
    return { payment, refunder, path: `${area.path}/sales/${payment.id}` };
  }

  async function show(
    area: CommunityRequest | ProductRequest,
    form: { amount?: string; errors?: FormError[] } = {},
  ) {
    const { payment, path } = await paymentOf(area);
    const refunds = await listRefunds(db, payment.id);
    const { amount = priceInput(leftToRefund(payment, refunds), payment.currency), errors } = form;
    const obstacle = refundObstacle(payment, payments);
    const submission = randomUUID();
    return sellerPaymentPage({ ...area.page, errors, payment, refunds, obstacle, path, amount, submission });
  }

  async function refund(area: CommunityForm | ProductForm) {
    const { payment, refunder, path } = await paymentOf(area);
    const amount = area.form.get('amount') ?? '';
    const refundId = area.form.get('submission') ?? '';
    const refuse = (message: string) => show(area, { amount, errors: [{ field: 'amount', message }] });
    const parsed = parsePrice(amount, payment.currency);
    if (parsed.kind === 'invalid') return await refuse(parsed.message);
    if (!UUID.test(refundId))
      return await refuse(t('This form is out of date. Check the amount and send it again.'));
    const result = await requestRefund(needs, refunder, {
      ...{ paymentId: payment.id, refundId, amountMinor: parsed.minor },
    });
    switch (result.kind) {
      case 'refused':
        return await refuse(t(OBSTACLES[result.obstacle]));
      case 'too-much':
        return await refuse(
          t('Enter more than 0 and at most {price}.', {
            price: `${priceInput(result.leftMinor, payment.currency)} ${payment.currency}`,
          }),
        );
      case 'too-many':
        return sendWait(area.response, { availableAt: result.availableAt, now: clock.now() }, (time) => ({
          title: t('Too many tries'),
          text: t('Nothing was changed. Try again in {time}.', { time }),
          action: { href: path, label: t('Back') },
        }));
      case 'failed':
        return await refuse(t('The payment provider refused: {reason}', { reason: result.reason }));
      case 'refunded':
        return doneAt(path, 'refunded');
      case 'pending':
        return doneAt(path, 'refund-pending');
      case 'unanswered':
        return doneAt(path, 'refund-unanswered');
    }
  }
}
