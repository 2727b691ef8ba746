import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { formatTime, phrase, t } from '../../platform/language/language.js';
import { renderMail } from '../../platform/mail/render-mail.js';
import { communityBrand } from '../brand/brands.js';
import { mailFooter, nameOrNot, plainServiceName } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import { formatPrice } from '../plans/price.js';
import type { DeclineReason } from './payment-provider.js';
import { namesOf, usePaymentNotice } from './receipt-mail.js';

const renewalFailedFacts = z.object({
  item: z.string(),
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
  const names = await namesOf(transaction, { kind: 'plan', ...plan });
  const { communityId } = plan;
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
