import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { phrase, t } from '../../platform/language/language.js';
import { renderMail } from '../../platform/mail/render-mail.js';
import { mailFooter, placeRows, plainServiceName } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import type { SessionPlace } from '../sessions/sessions.js';

/** Person who deleted an account, and the browser and network of a user. */
export type DeletedBy = { readonly who: 'operator' } | ({ readonly who: 'user' } & SessionPlace);

const accountDeletedFacts = z.object({
  who: z.enum(['user', 'operator']),
  at: z.number(),
  browser: z.string().nullable(),
  network: z.string().nullable(),
});

const TEXTS = {
  user: phrase('The account with this address was deleted in a browser that was signed in to it.'),
  operator: phrase('The operator of the service deleted the account with this address.'),
} as const;

/** Queues the mail about the deletion, in its transaction. The outbox forgets the address when the mail is sent. */
export async function queueAccountDeleted(
  transaction: Database,
  { to, deletedBy }: { to: string; deletedBy: DeletedBy },
  now: number,
): Promise<void> {
  const facts: z.input<typeof accountDeletedFacts> = { browser: null, network: null, ...deletedBy, at: now };
  await queueMail(transaction, { kind: 'account-deleted', subjectId: randomUUID(), to, facts }, now);
}

export const composeAccountDeleted: MailComposer = async ({ facts: json }, { service }) => {
  const { who, at, browser, network } = accountDeletedFacts.parse(JSON.parse(json));
  const title = t('Your account was deleted');
  const text = t(TEXTS[who]);
  return renderMail({
    brand: { ...service.brand, name: plainServiceName(service) },
    subject: title,
    preview: text,
    title,
    blocks: [
      { kind: 'text', text },
      {
        kind: 'text',
        text: t(
          'Memberships have ended and subscriptions are cancelled. Sellers keep the payments for their books, without your name and address.',
        ),
      },
      { kind: 'facts', facts: placeRows({ at, browser, network }) },
      {
        kind: 'note',
        text: t(
          'If this was not you, someone else may be able to read your e-mail. Change the password of your mailbox, then contact us. A deleted account can’t be restored.',
        ),
      },
    ],
    footer: mailFooter(service, t('You receive this once, because your account was deleted.')),
  });
};
