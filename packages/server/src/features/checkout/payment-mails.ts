import { DAY_MS } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { formatTime, phrase, t } from '../../platform/language/language.js';
import type { MailFacts } from '../../platform/mail/render-mail.js';
import { communityBrand } from '../brand/brand.js';
import { mailboxOf, useBudgets } from '../budgets/budgets.js';
import { type MailService, nameOrNot, plainServiceName, serviceMail } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import type { MembershipRow } from '../memberships/memberships.js';
import { formatPrice } from '../plans/price.js';
import { findPerson, shownPerson } from '../users/shown-person.js';
import { nextPaymentOf } from './buyer-access.js';
import { type OfferTerms, subjectColumns } from './checkout.js';
import type { DeclineReason } from './payment-provider.js';

/** A checkout accepts any address, and could flood a stranger. One shop can't use up the allowance of others. */
const RECEIPTS_PER_SHOP = 10;
const RECEIPTS_PER_MAILBOX = 30;
/** How many mails about refunds and failed renewals of one community or product a mailbox receives per day. */
const NOTICES_PER_SHOP = 5;

const paymentFacts = z.object({
  /** Name of the plan or the product; null if the plan was deleted. */
  item: z.string().nullable(),
  /** Name of the community or of the product's seller; null if the seller has no name. */
  seller: z.string().nullable(),
  communityId: z.string().nullable(),
  amountMinor: z.number(),
  currency: z.string(),
});

const receiptFacts = paymentFacts.extend({
  paidAt: z.number(),
  validUntil: z.number().nullable(),
  nextPayment: z.object({ at: z.number(), amountMinor: z.number(), currency: z.string() }).nullable(),
});

const refundedFacts = paymentFacts.extend({
  paymentId: z.string(),
  refundedMinor: z.number(),
  paidAt: z.number(),
  endsAccess: z.boolean(),
});

const renewalFailedFacts = paymentFacts.extend({
  reason: z.enum(['card_declined', 'insufficient_funds', 'transfer_expired']),
  validUntil: z.number(),
});

interface PaymentMail {
  readonly kind: 'receipt' | 'refunded' | 'renewal-failed';
  readonly subjectId: string;
  readonly buyer: { readonly id: string; readonly email: string | null };
  readonly sold: ReturnType<typeof subjectColumns>;
  readonly facts: { readonly amountMinor: number; readonly currency: string };
}

/** Queues a mail to the buyer with the names of what was sold, unless the mailbox has had too many. */
async function queuePaymentMail(
  transaction: Database,
  { kind, subjectId, buyer: { id: userId, email: to }, sold, facts }: PaymentMail,
  now: number,
): Promise<void> {
  if (to === null) return;
  const { community_id: communityId, product_id } = sold;
  const [mailbox, shop] = [mailboxOf(to), communityId ?? product_id ?? ''];
  const perDay = (counted: string[], limit: number) => ({ counted, limit, periodMs: DAY_MS });
  const budgets =
    kind === 'receipt'
      ? [
          perDay(['receipts', mailbox, shop], RECEIPTS_PER_SHOP),
          perDay(['receipts', mailbox], RECEIPTS_PER_MAILBOX),
        ]
      : [perDay(['payment notices', mailbox, shop], NOTICES_PER_SHOP)];
  if ((await useBudgets(transaction, budgets, now)).kind !== 'used') return;
  const named = { ...(await namesOf(transaction, sold)), communityId, ...facts };
  await queueMail(transaction, { kind, subjectId, to, userId, facts: named }, now);
}

async function namesOf(
  transaction: Database,
  { community_id, pricing_plan_id, product_id }: PaymentMail['sold'],
) {
  const product = transaction
    .selectFrom('products')
    .innerJoin('users', 'users.id', 'products.owner_id')
    .select(['products.name as item', 'users.name as seller'])
    .where('products.id', '=', product_id);
  const plan = transaction
    .selectFrom('communities')
    .leftJoin('pricing_plans', (join) => join.on('pricing_plans.id', '=', pricing_plan_id))
    .select(['pricing_plans.name as item', 'communities.name as seller'])
    .where('communities.id', '=', community_id);
  const names = await (product_id === null ? plan : product).executeTakeFirst();
  return names ?? { item: null, seller: null };
}

function soldRows(
  { item, seller, communityId }: z.output<typeof paymentFacts>,
  service: MailService,
): MailFacts {
  const isPlan = communityId !== null;
  return {
    [t('Seller')]: nameOrNot(seller, service, t('A seller')),
    [t(isPlan ? 'Plan' : 'Product')]: nameOrNot(item, service, t(isPlan ? 'A plan' : 'A product')),
  };
}

/** Queues the receipt of a payment that wasn't free, in the transaction that stores the payment. */
export async function queueReceipt(
  transaction: Database,
  paid: Pick<OfferTerms, 'subject' | 'amountMinor' | 'currency'> &
    Pick<PaymentMail, 'buyer'> & { paymentId: string; membership: MembershipRow },
  now: number,
): Promise<void> {
  const { paymentId: subjectId, subject, buyer, amountMinor, currency, membership } = paid;
  if (amountMinor === 0) return;
  const nextPayment = await nextPaymentOf(transaction, membership);
  const facts = { amountMinor, currency, paidAt: now, validUntil: membership.valid_until, nextPayment };
  const mail = { kind: 'receipt', subjectId, buyer, sold: subjectColumns(subject), facts } as const;
  await queuePaymentMail(transaction, mail, now);
}

/**
 * Composes the receipt in the service's name, since anyone can pay for any address. It contains two names that the
 * seller wrote, marked as the seller's, and neither in the subject. There is no seller's logo: it could count readers,
 * or show a telephone number.
 */
export const composeReceipt: MailComposer = async ({ subjectId, facts: json }, { service }) => {
  const facts = receiptFacts.parse(JSON.parse(json));
  const { nextPayment, validUntil } = facts;
  const serviceName = plainServiceName(service);
  const amount = formatPrice(facts.amountMinor, facts.currency);
  const access = validUntil === null ? t('Lifetime') : t('Until {date}', { date: formatTime(validUntil) });
  const renewal = nextPayment && {
    price: formatPrice(nextPayment.amountMinor, nextPayment.currency),
    date: formatTime(nextPayment.at, 'date'),
  };
  return serviceMail(service, {
    subject: t('Your receipt from {service}: {price}', { service: serviceName, price: amount }),
    preview: t('Paid on {date}.', { date: formatTime(facts.paidAt, 'date') }),
    title: t('Your receipt'),
    blocks: [
      { amount },
      {
        facts: {
          ...soldRows(facts, service),
          [t('Paid on')]: formatTime(facts.paidAt),
          [t('Access')]: access,
          [t('Next payment')]: renewal ? t('{price} on {date}', renewal) : t('None'),
          [t('Payment ID')]: subjectId,
        },
      },
      { button: t('View your membership'), href: `${service.baseUrl}/account` },
      nextPayment !== null && { note: t('You can cancel the subscription on that page at any time.') },
      {
        note: t('This was sold by a seller, not by {service}. The seller chose the names in this receipt.', {
          service: serviceName,
        }),
      },
      {
        note: t(
          'If you did not make this payment, someone entered your e-mail address at the checkout. You can ignore this e-mail.',
        ),
      },
    ],
    reason: t('This is the receipt of a payment.'),
  });
};

export async function queueRefunded(
  transaction: Database,
  { payment, endsAccess }: { payment: Row<'payments'>; endsAccess: boolean },
  now: number,
): Promise<void> {
  const { id: paymentId, user_id: userId, community_id: communityId } = payment;
  const { amount_minor: amountMinor, refunded_minor: refundedMinor, currency, created_at: paidAt } = payment;
  const person = await findPerson.first(transaction, { userId, communityId });
  if (person === undefined) return;
  const mail = {
    kind: 'refunded',
    // There is a separate mail for each total.
    subjectId: `${paymentId}:${refundedMinor}`,
    buyer: { id: userId, email: shownPerson(person).email },
    sold: payment,
    facts: { paymentId, amountMinor, refundedMinor, currency, paidAt, endsAccess },
  } as const;
  await queuePaymentMail(transaction, mail, now);
}

export const composeRefunded: MailComposer = async ({ facts: json }, { service }) => {
  const facts = refundedFacts.parse(JSON.parse(json));
  const serviceName = plainServiceName(service);
  const [price = '', refunded = ''] = [facts.amountMinor, facts.refundedMinor].map((minor) =>
    formatPrice(minor, facts.currency),
  );
  const isWhole = facts.refundedMinor >= facts.amountMinor;
  const whole = t('The whole payment was refunded.');
  return serviceMail(service, {
    subject: t('Your refund from {service}: {price}', { service: serviceName, price: refunded }),
    preview: isWhole ? whole : t('A part of your payment was refunded.'),
    title: t('Your refund'),
    blocks: [
      { amount: refunded },
      facts.endsAccess
        ? t('Your whole payment was refunded, so the access that it paid for has ended.')
        : isWhole
          ? whole
          : t('A part of your payment was refunded. Your access stays as it is.'),
      {
        facts: {
          ...soldRows(facts, service),
          [t('Paid')]: t('{price} on {date}', { price, date: formatTime(facts.paidAt) }),
          [t('Refunded so far')]: refunded,
          [t('Payment ID')]: facts.paymentId,
        },
      },
      { note: t('Your bank may need a few days to show the money.') },
    ],
    reason: t('This is about a payment that was refunded.'),
  });
};

const REASONS: Readonly<Record<DeclineReason, string>> = {
  card_declined: phrase('Your card was declined.'),
  insufficient_funds: phrase('Your card has insufficient funds.'),
  transfer_expired: phrase('The transfer did not arrive in time.'),
};

export async function queueRenewalFailed(
  transaction: Database,
  renewal: Pick<OfferTerms, 'subject' | 'amountMinor' | 'currency'> &
    Pick<PaymentMail, 'buyer'> & { paymentId: string; reason: DeclineReason; validUntil: number },
  now: number,
): Promise<void> {
  const { paymentId: subjectId, buyer, subject, amountMinor, currency, reason, validUntil } = renewal;
  const facts = { amountMinor, currency, reason, validUntil };
  const mail = { kind: 'renewal-failed', subjectId, buyer, sold: subjectColumns(subject), facts } as const;
  await queuePaymentMail(transaction, mail, now);
}

export const composeRenewalFailed: MailComposer = async ({ subjectId, facts: json }, needs) => {
  const { db, service, now } = needs;
  const facts = renewalFailedFacts.parse(JSON.parse(json));
  const { communityId, validUntil } = facts;
  // The community was deleted, and nothing can be paid.
  if (communityId === null || (await communityBrand(db, communityId)) === undefined) return undefined;
  const serviceName = plainServiceName(service);
  const amount = formatPrice(facts.amountMinor, facts.currency);
  const end = { date: formatTime(validUntil) };
  const reason = t(REASONS[facts.reason]);
  return serviceMail(service, {
    subject: t('{service}: your payment failed', { service: serviceName }),
    preview: `${reason} ${t('Your membership does not renew.')}`,
    title: t('Your payment failed'),
    blocks: [
      `${reason} ${t('Nothing was charged, and we will not try again, so your membership does not renew.')}`,
      {
        facts: {
          ...soldRows(facts, service),
          [t('Amount')]: amount,
          [t('Access')]: validUntil > now ? t('Until {date}', end) : t('Ended on {date}', end),
          [t('Payment ID')]: subjectId,
        },
      },
      validUntil > now
        ? t('To keep your access without a break, choose a plan and pay with another card before this time.')
        : t('To get access again, choose a plan and pay with another card.'),
      { button: t('Choose a plan'), href: `${service.baseUrl}/communities/${communityId}` },
      { note: t('If you do not want to continue, you need not do anything.') },
    ],
    reason: t('You receive this because your membership was to renew.'),
  });
};
