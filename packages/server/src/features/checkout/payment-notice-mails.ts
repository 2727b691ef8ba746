import * as z from 'zod';
import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { formatTime, phrase, t } from '../../platform/language/language.js';
import { renderMail } from '../../platform/mail/render-mail.js';
import { communityBrand } from '../brand/brand.js';
import { mailFooter, nameOrNot, plainServiceName } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import { formatPrice } from '../plans/price.js';
import { subjectColumns } from './checkout.js';
import type { DeclineReason } from './payment-provider.js';
import { namesOf, usePaymentNotice } from './receipt-mail.js';

const refundedFacts = z.object({
  /** Name of the plan or the product; null if the plan was deleted. */
  item: z.string().nullable(),
  seller: z.string().nullable(),
  communityId: z.string().nullable(),
  paymentId: z.string(),
  amountMinor: z.number(),
  refundedMinor: z.number(),
  currency: z.string(),
  paidAt: z.number(),
  endsAccess: z.boolean(),
});

export async function queueRefunded(
  transaction: Database,
  { payment, endsAccess }: { payment: Row<'payments'>; endsAccess: boolean },
  now: number,
): Promise<void> {
  const buyer = await transaction
    .selectFrom('users')
    .leftJoin('community_emails as link', (join) =>
      join.onRef('link.user_id', '=', 'users.id').on('link.community_id', '=', payment.community_id),
    )
    .select(({ fn }) => fn.coalesce('link.email', 'users.email').as('email'))
    .where('users.id', '=', payment.user_id)
    .executeTakeFirst();
  const email = buyer?.email ?? null;
  if (email === null) return;
  const shop = payment.community_id ?? payment.product_id ?? '';
  if (!(await usePaymentNotice(transaction, { email, shop }, now))) return;
  const facts: z.input<typeof refundedFacts> = {
    ...(await namesOf(transaction, payment)),
    communityId: payment.community_id,
    paymentId: payment.id,
    amountMinor: payment.amount_minor,
    refundedMinor: payment.refunded_minor,
    currency: payment.currency,
    paidAt: payment.created_at,
    endsAccess,
  };
  // There is a separate mail for each total.
  const subjectId = `${payment.id}:${payment.refunded_minor}`;
  const mail = { kind: 'refunded', subjectId, to: email, userId: payment.user_id, facts } as const;
  await queueMail(transaction, mail, now);
}

export const composeRefunded: MailComposer = async ({ facts: json }, { service }) => {
  const facts = refundedFacts.parse(JSON.parse(json));
  const serviceName = plainServiceName(service);
  const [price = '', refunded = ''] = [facts.amountMinor, facts.refundedMinor].map((minor) =>
    formatPrice(minor, facts.currency),
  );
  const isWhole = facts.refundedMinor >= facts.amountMinor;
  const isPlan = facts.communityId !== null;
  const whole = t('The whole payment was refunded.');
  return renderMail({
    brand: { ...service.brand, name: serviceName },
    subject: t('Your refund from {service}: {price}', { service: serviceName, price: refunded }),
    preview: isWhole ? whole : t('A part of your payment was refunded.'),
    title: t('Your refund'),
    blocks: [
      { kind: 'amount', amount: refunded },
      {
        kind: 'text',
        text: facts.endsAccess
          ? t('Your whole payment was refunded, so the access that it paid for has ended.')
          : isWhole
            ? whole
            : t('A part of your payment was refunded. Your access stays as it is.'),
      },
      {
        kind: 'facts',
        facts: [
          { label: t('Seller'), value: nameOrNot(facts.seller, service, t('A seller')) },
          {
            label: t(isPlan ? 'Plan' : 'Product'),
            value: nameOrNot(facts.item, service, t(isPlan ? 'A plan' : 'A product')),
          },
          { label: t('Paid'), value: t('{price} on {date}', { price, date: formatTime(facts.paidAt) }) },
          { label: t('Refunded so far'), value: refunded },
          { label: t('Payment ID'), value: facts.paymentId },
        ],
      },
      { kind: 'note', text: t('Your bank may need a few days to show the money.') },
    ],
    footer: mailFooter(service, t('This is about a payment that was refunded.')),
  });
};

const renewalFailedFacts = z.object({
  item: z.string().nullable(),
  seller: z.string().nullable(),
  communityId: z.string(),
  amountMinor: z.number(),
  currency: z.string(),
  reason: z.enum(['card_declined', 'insufficient_funds', 'transfer_expired']),
  validUntil: z.number(),
});

type Facts = z.output<typeof renewalFailedFacts>;

const REASONS: Readonly<Record<DeclineReason, string>> = {
  card_declined: phrase('Your card was declined.'),
  insufficient_funds: phrase('Your card has insufficient funds.'),
  transfer_expired: phrase('The transfer did not arrive in time.'),
};

export async function queueRenewalFailed(
  transaction: Database,
  renewal: Pick<Facts, 'amountMinor' | 'currency' | 'reason' | 'validUntil'> & {
    paymentId: string;
    buyer: { readonly id: string; readonly email: string | null };
    plan: { readonly communityId: string; readonly planId: string };
  },
  now: number,
): Promise<void> {
  const { paymentId, buyer, plan, ...facts } = renewal;
  const { email } = buyer;
  if (email === null || !(await usePaymentNotice(transaction, { email, shop: plan.communityId }, now)))
    return;
  const { communityId } = plan;
  const names = await namesOf(transaction, subjectColumns({ kind: 'plan', ...plan }));
  const mail = {
    subjectId: paymentId,
    to: email,
    userId: buyer.id,
    facts: { ...names, ...facts, communityId },
  };
  await queueMail(transaction, { kind: 'renewal-failed', ...mail }, now);
}

export const composeRenewalFailed: MailComposer = async ({ subjectId, facts: json }, needs) => {
  const { db, service, now } = needs;
  const facts = renewalFailedFacts.parse(JSON.parse(json));
  const { item, seller, communityId, validUntil } = facts;
  const brand = await communityBrand(db, communityId);
  // The community was deleted, and nothing can be paid.
  if (brand === undefined) return undefined;
  const serviceName = plainServiceName(service);
  const amount = formatPrice(facts.amountMinor, facts.currency);
  const end = { date: formatTime(validUntil) };
  const reason = t(REASONS[facts.reason]);
  return renderMail({
    brand: { ...service.brand, name: serviceName },
    subject: t('{service}: your payment failed', { service: serviceName }),
    preview: `${reason} ${t('Your membership does not renew.')}`,
    title: t('Your payment failed'),
    blocks: [
      {
        kind: 'text',
        text: `${reason} ${t('Nothing was charged, and we will not try again, so your membership does not renew.')}`,
      },
      {
        kind: 'facts',
        facts: [
          { label: t('Seller'), value: nameOrNot(seller, service, t('A community')) },
          { label: t('Plan'), value: nameOrNot(item, service, t('A plan')) },
          { label: t('Amount'), value: amount },
          {
            label: t('Access'),
            value: validUntil > now ? t('Until {date}', end) : t('Ended on {date}', end),
          },
          { label: t('Payment ID'), value: subjectId },
        ],
      },
      {
        kind: 'text',
        text:
          validUntil > now
            ? t(
                'To keep your access without a break, choose a plan and pay with another card before this time.',
              )
            : t('To get access again, choose a plan and pay with another card.'),
      },
      { kind: 'button', label: t('Choose a plan'), href: `${service.baseUrl}/communities/${communityId}` },
      { kind: 'note', text: t('If you do not want to continue, you need not do anything.') },
    ],
    footer: mailFooter(service, t('You receive this because your membership was to renew.')),
  });
};
