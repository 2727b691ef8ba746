import { DAY_MS } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { formatTime, t } from '../../platform/language/language.js';
import { type MailFact, renderMail } from '../../platform/mail/render-mail.js';
import { mailboxOf, useBudgets } from '../budgets/budgets.js';
import { type MailService, mailFooter, nameOrNot, plainServiceName } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import type { MembershipRow } from '../memberships/memberships.js';
import { formatPrice } from '../plans/price.js';
import { nextPaymentOf } from './buyer-access.js';
import { type OfferSubject, type OfferTerms, shopOf, subjectColumns } from './checkout.js';

type Facts = z.output<typeof receiptFacts>;

/**
 * Composes the receipt in the service's name, since anyone can pay for any address. It contains two names that the
 * seller wrote, marked as the seller's, and neither in the subject. There is no seller's logo: it could count readers,
 * or show a telephone number.
 */
export const composeReceipt: MailComposer = async ({ subjectId, facts: json }, { service }) => {
  const facts = receiptFacts.parse(JSON.parse(json));
  const serviceName = plainServiceName(service);
  const amount = formatPrice(facts.amountMinor, facts.currency);
  return renderMail({
    brand: { ...service.brand, name: serviceName },
    subject: t('Your receipt from {service}: {price}', { service: serviceName, price: amount }),
    preview: t('Paid on {date}.', { date: formatTime(facts.paidAt, 'date') }),
    title: t('Your receipt'),
    blocks: [
      { kind: 'amount', amount },
      { kind: 'facts', facts: receiptRows(facts, { id: subjectId, service }) },
      { kind: 'button', label: t('View your membership'), href: `${service.baseUrl}/account` },
      ...(facts.nextPayment === null
        ? []
        : [{ kind: 'note', text: t('You can cancel the subscription on that page at any time.') } as const]),
      {
        kind: 'note',
        text: t('This was sold by a seller, not by {service}. The seller chose the names in this receipt.', {
          service: serviceName,
        }),
      },
      {
        kind: 'note',
        text: t(
          'If you did not make this payment, someone entered your e-mail address at the checkout. You can ignore this e-mail.',
        ),
      },
    ],
    footer: mailFooter(service, t('This is the receipt of a payment.')),
  });
};

function receiptRows(
  { item, seller, paidAt, validUntil, nextPayment, communityId }: Facts,
  { id, service }: { id: string; service: MailService },
): MailFact[] {
  return [
    { label: t('Seller'), value: nameOrNot(seller, service, t('A seller')) },
    {
      label: t(communityId === null ? 'Product' : 'Plan'),
      value: nameOrNot(item, service, t(communityId === null ? 'A product' : 'A plan')),
    },
    { label: t('Paid on'), value: formatTime(paidAt) },
    {
      label: t('Access'),
      value: validUntil === null ? t('Lifetime') : t('Until {date}', { date: formatTime(validUntil) }),
    },
    {
      label: t('Next payment'),
      value:
        nextPayment === null
          ? t('None')
          : t('{price} on {date}', {
              price: formatPrice(nextPayment.amountMinor, nextPayment.currency),
              date: formatTime(nextPayment.at, 'date'),
            }),
    },
    { label: t('Payment ID'), value: id },
  ];
}

/** A checkout accepts any address, and could flood a stranger. One shop can't use up the allowance of others. */
const RECEIPTS_PER_SHOP = 10;
const RECEIPTS_PER_MAILBOX = 30;

const receiptFacts = z.object({
  item: z.string().nullable(),
  /** Name of the community or of the product's seller; null if the seller has no name. */
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

/** Queues the receipt of a payment that wasn't free, in the transaction that stores the payment. */
export async function queueReceipt(
  transaction: Database,
  paid: Pick<OfferTerms, 'subject' | 'amountMinor' | 'currency'> & {
    paymentId: string;
    buyer: { readonly id: string; readonly email: string | null };
    membership: MembershipRow;
  },
  now: number,
): Promise<void> {
  const { paymentId, subject, buyer, amountMinor, currency, membership } = paid;
  if (amountMinor === 0 || buyer.email === null) return;
  if (!(await useReceipt(transaction, { email: buyer.email, subject }, now))) return;
  const facts: z.input<typeof receiptFacts> = {
    ...(await namesOf(transaction, subjectColumns(subject))),
    communityId: subject.kind === 'plan' ? subject.communityId : null,
    amountMinor,
    currency,
    paidAt: now,
    validUntil: membership.valid_until,
    nextPayment: await nextPaymentOf(transaction, membership),
  };
  const mail = { kind: 'receipt', subjectId: paymentId, to: buyer.email, userId: buyer.id, facts } as const;
  await queueMail(transaction, mail, now);
}

async function useReceipt(
  transaction: Database,
  { email, subject }: { email: string; subject: OfferSubject },
  now: number,
): Promise<boolean> {
  const [mailbox, shop] = [mailboxOf(email), shopOf(subject)];
  const budgets = [
    { counted: ['receipts', mailbox, shop], limit: RECEIPTS_PER_SHOP, periodMs: DAY_MS },
    { counted: ['receipts', mailbox], limit: RECEIPTS_PER_MAILBOX, periodMs: DAY_MS },
  ];
  return (await useBudgets(transaction, budgets, now)).kind === 'used';
}

/** How many mails about refunds and failed renewals of one community or product a mailbox receives per day. */
const NOTICES_PER_SHOP = 5;

/** False if there have been too many mails about refunds and failed renewals. Receipts are counted separately. */
export async function usePaymentNotice(
  transaction: Database,
  { email, shop }: { email: string; shop: string },
  now: number,
): Promise<boolean> {
  const counted = ['payment notices', mailboxOf(email), shop];
  const budget = { counted, limit: NOTICES_PER_SHOP, periodMs: DAY_MS };
  return (await useBudgets(transaction, [budget], now)).kind === 'used';
}

/** Returns the names in mails about a payment. Null for what was deleted, and for a seller without a name. */
export async function namesOf(
  transaction: Database,
  { community_id, pricing_plan_id, product_id }: ReturnType<typeof subjectColumns>,
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
