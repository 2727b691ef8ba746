import type * as z from 'zod';
import type { MailFact } from '../../platform/mail/mail-content.js';
import { renderMail } from '../../platform/mail/render-mail.js';
import { communityBrand } from '../brand/brands.js';
import { formatPrice } from '../catalogue/price.js';
import { mailDay, mailFooter, mailTime, plainServiceName, senderName } from '../mail/mail-frame.js';
import type { MailComposer } from '../mail/mail-worker.js';
import { quotableName } from '../mail/quotable-name.js';
import { receiptFacts } from './queue-receipt.js';

type Facts = z.output<typeof receiptFacts>;

/** Composes the receipt of a payment. */
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
