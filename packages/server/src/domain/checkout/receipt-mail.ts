import { DAY_MS } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { type MailFact, renderMail } from '../../platform/mail/render-mail.js';
import { communityBrand } from '../brand/brands.js';
import { useBudgets } from '../budgets/budgets.js';
import { mailboxOf } from '../budgets/mailbox-of.js';
import { formatPrice } from '../catalogue/price.js';
import {
  mailDay,
  mailFooter,
  mailTime,
  plainServiceName,
  quotableName,
  senderName,
} from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import { isRenewing } from '../memberships/membership-state.js';
import type { MembershipRow } from '../memberships/memberships.js';
import type { OfferSubject, OfferTerms } from './offer.js';

type Facts = z.output<typeof receiptFacts>;

export const composeReceipt: MailComposer = async ({ subjectId, facts: json }, { db, service }) => {
  const facts = receiptFacts.parse(JSON.parse(json));
  const brand = facts.communityId === null ? undefined : await communityBrand(db, facts.communityId);
  const seller = facts.seller === null ? undefined : quotableName(facts.seller, service.brand.name);
  const name = seller ?? plainServiceName(service);
  const amount = formatPrice(facts.amountMinor, facts.currency);
  return {
    ...renderMail({
      brand: { ...(seller === undefined ? service.brand : (brand ?? NO_LOGO)), name },
      subject: `Your receipt from ${name}: ${amount}`,
      preview: `Paid on ${mailDay(facts.paidAt)}.`,
      title: ['Receipt from ', { name }],
      blocks: [
        { kind: 'amount', amount },
        { kind: 'facts', facts: receiptRows(facts, { id: subjectId, serviceName: service.brand.name }) },
        { kind: 'button', label: 'View your membership', href: `${service.baseUrl}/account` },
        ...(facts.nextPayment === null
          ? []
          : [{ kind: 'note', text: 'You can cancel the subscription on that page at any time.' } as const]),
        {
          kind: 'note',
          text: 'If you did not make this payment, someone entered your e-mail address at the checkout. You can ignore this e-mail.',
        },
      ],
      footer: mailFooter(service, 'This is the receipt of a payment.'),
    }),
    ...(seller !== undefined && { senderName: senderName(service, seller) }),
  };
};

const NO_LOGO = { logoUrl: null, accent: null };

function receiptRows(
  { item, paidAt, validUntil, nextPayment, communityId }: Facts,
  { id, serviceName }: { id: string; serviceName: string },
): MailFact[] {
  const shown = quotableName(item, serviceName);
  return [
    ...(shown === undefined
      ? []
      : [{ label: communityId === null ? 'Product' : 'Plan', value: [{ name: shown }] }]),
    { label: 'Paid', value: mailTime(paidAt) },
    { label: 'Access', value: validUntil === null ? 'Lifetime' : `Until ${mailTime(validUntil)}` },
    {
      label: 'Next payment',
      value:
        nextPayment === null
          ? 'None'
          : `${formatPrice(nextPayment.amountMinor, nextPayment.currency)} on ${mailDay(nextPayment.at)}`,
    },
    { label: 'Payment ID', value: id },
  ];
}

/** Mails about payments that one mailbox receives in a day. A checkout accepts any address, so it could flood a stranger. */
const PAYMENT_MAILS_PER_MAILBOX = 20;

/** Facts of a receipt, as of the payment. */
const receiptFacts = z.object({
  /** Name of the plan or the product. */
  item: z.string(),
  /** Name of the community or of the product's seller; null for a seller without a name. */
  seller: z.string().nullable(),
  communityId: z.string().nullable(),
  amountMinor: z.number(),
  currency: z.string(),
  paidAt: z.number(),
  /** Null for lifetime access. */
  validUntil: z.number().nullable(),
  /** Null if nothing renews. */
  nextPayment: z.object({ at: z.number(), amountMinor: z.number(), currency: z.string() }).nullable(),
});

/** Queues the receipt of a payment with a price in the transaction that stores the payment. */
export async function queueReceipt(
  transaction: Database,
  paid: Pick<OfferTerms, 'subject' | 'amountMinor' | 'currency'> & {
    paymentId: string;
    buyer: { readonly email: string | null };
    membership: MembershipRow;
  },
  now: number,
): Promise<void> {
  const { paymentId, subject, buyer, amountMinor, currency, membership } = paid;
  if (amountMinor === 0 || buyer.email === null) return;
  if (!(await usePaymentMail(transaction, buyer.email, now))) return;
  const facts: z.input<typeof receiptFacts> = {
    ...(await namesOf(transaction, subject)),
    communityId: subject.kind === 'plan' ? subject.communityId : null,
    amountMinor,
    currency,
    paidAt: now,
    validUntil: membership.valid_until,
    nextPayment: await nextPaymentOf(transaction, membership),
  };
  await queueMail(transaction, { kind: 'receipt', subjectId: paymentId, to: buyer.email, facts }, now);
}

/** Counts a mail about a payment. False if the mailbox has received too many. */
export async function usePaymentMail(transaction: Database, email: string, now: number): Promise<boolean> {
  const counted = ['payment mails', mailboxOf(email)];
  const budget = { counted, limit: PAYMENT_MAILS_PER_MAILBOX, periodMs: DAY_MS };
  return (await useBudgets(transaction, [budget], now)).kind === 'used';
}

/** Returns the names of what was paid for, and of who sold it. */
export async function namesOf(transaction: Database, subject: OfferSubject) {
  if (subject.kind === 'plan') {
    return await transaction
      .selectFrom('pricing_plans')
      .innerJoin('communities', 'communities.id', 'pricing_plans.community_id')
      .select(['pricing_plans.name as item', 'communities.name as seller'])
      .where('pricing_plans.id', '=', subject.planId)
      .executeTakeFirstOrThrow();
  }
  return await transaction
    .selectFrom('products')
    .innerJoin('users', 'users.id', 'products.owner_id')
    .select(['products.name as item', 'users.name as seller'])
    .where('products.id', '=', subject.productId)
    .executeTakeFirstOrThrow();
}

async function nextPaymentOf(transaction: Database, membership: MembershipRow) {
  const { subscription_id, valid_until } = membership;
  if (!isRenewing(membership) || subscription_id === null || valid_until === null) return null;
  const { amount_minor, currency } = await transaction
    .selectFrom('subscriptions')
    .select(['amount_minor', 'currency'])
    .where('id', '=', subscription_id)
    .executeTakeFirstOrThrow();
  return { at: valid_until, amountMinor: amount_minor, currency };
}
