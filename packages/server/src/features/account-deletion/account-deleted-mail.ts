import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { phrase, t } from '../../platform/language/language.js';
import { accountMail, placeFacts, placeRows } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import type { SessionPlace } from '../sessions/sessions.js';

export type DeletedBy = { readonly who: 'operator' } | ({ readonly who: 'user' } & SessionPlace);

const accountDeletedFacts = placeFacts.extend({ who: z.enum(['user', 'operator']) });

const TEXTS = {
  user: phrase('The account with this address was deleted in a browser that was signed in to it.'),
  operator: phrase('The operator of the service deleted the account with this address.'),
} as const;

/** Queues the mail about the deletion, in the same transaction. The outbox clears the address once the mail is sent. */
export async function queueAccountDeleted(
  transaction: Database,
  { to, userId, deletedBy }: { to: string; userId: string; deletedBy: DeletedBy },
  now: number,
): Promise<void> {
  const facts: z.input<typeof accountDeletedFacts> = { browser: null, network: null, ...deletedBy, at: now };
  await queueMail(transaction, { kind: 'account-deleted', to, userId, facts }, now);
}

export const composeAccountDeleted: MailComposer = async ({ facts: json }, { service }) => {
  const { who, ...place } = accountDeletedFacts.parse(JSON.parse(json));
  return accountMail(service, {
    title: t('Your account was deleted'),
    text: t(TEXTS[who]),
    blocks: [
      t(
        'Memberships have ended and subscriptions are cancelled. Sellers keep the payments for their books, without your name and address.',
      ),
      { facts: placeRows(place) },
      {
        note: t(
          'If this was not you, someone else may be able to read your e-mail. Change the password of your mailbox, then contact us. A deleted account can’t be restored.',
        ),
      },
    ],
    reason: t('You receive this once, because your account was deleted.'),
  });
};
