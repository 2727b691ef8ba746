import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { formatTime, t } from '../../platform/language/language.js';
import type { MailMessage } from '../../platform/mail/mailer.js';
import { createOpaqueSecret } from '../../platform/secrets.js';
import { accountMail, type MailService, placeFacts, placeRows, serviceMail } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import type { SessionPlace } from '../sessions/sessions.js';
import { SIGN_IN_CODE_LIFETIME_SECONDS } from '../sign-in/sign-in-codes.js';

export const UNDO_EMAIL_CHANGE_PATH = '/email-change/undo';

/** Returns the mail with the code that verifies a new address, in the language of the page that asked for it. */
export function emailChangeCodeMail(
  { to, code, now }: { to: string; code: string; now: number },
  service: MailService,
): MailMessage {
  const time = t('{count} minutes', { count: SIGN_IN_CODE_LIFETIME_SECONDS / 60 });
  return {
    to,
    ...serviceMail(service, {
      subject: t('{code} confirms your new address', { code }),
      preview: t('Enter it only if you are changing the address of your own account.'),
      title: t('Confirm your new e-mail address'),
      blocks: [
        { code },
        t('Enter it on the page where you change the address of your account. It is valid for {time}.', {
          time,
        }),
        { facts: { [t('Site')]: new URL(service.baseUrl).host, [t('Requested')]: formatTime(now) } },
        t('We’ll never ask you for this code.'),
        {
          note: t(
            'If you did not request it, ignore this e-mail. Whoever gets the code from you could take over what sellers hold for your address.',
          ),
        },
      ],
      reason: t('Someone entered your address as the new one of an account.'),
    }),
    code,
  };
}

const emailChangeFacts = placeFacts.extend({
  /** Id of the change that the mail lets its reader undo; null if the mail says that a change was undone. */
  change: z.string().nullable(),
});

/** Queues the mail to the account's earlier address, in the transaction of the change. */
export async function queueEmailChangeMail(
  transaction: Database,
  { to, userId, ...facts }: { to: string; userId: string; change: string | null } & SessionPlace,
  now: number,
): Promise<void> {
  await queueMail(transaction, { kind: 'email-change', to, userId, facts: { ...facts, at: now } }, now);
}

/** Any earlier secret of the change stops working. `undefined` if the change is over. */
async function createUndoSecret(db: Database, change: string): Promise<string | undefined> {
  const { text, hash } = createOpaqueSecret();
  const row = await db
    .updateTable('email_changes')
    .set({ undo_hash: hash })
    .where('id', '=', change)
    .returning('id')
    .executeTakeFirst();
  return row && text;
}

/** Composes the mail to an earlier address. The link's secret is created here, since the outbox contains no secrets. */
export const composeEmailChange: MailComposer = async ({ facts: json }, { db, service }) => {
  const { change, ...place } = emailChangeFacts.parse(JSON.parse(json));
  const key = change === null ? undefined : await createUndoSecret(db, change);
  // The change was undone, or its account deleted, before the mail was sent.
  if (change !== null && key === undefined) return undefined;
  const title = t(
    key === undefined ? 'Your e-mail address was changed back' : 'Your e-mail address was changed',
  );
  const text = t(
    key === undefined
      ? 'The earlier address of your account undid the change. This address no longer signs you in.'
      : 'Your account has another e-mail address now. This address no longer signs you in, and sellers no longer find you by it.',
  );
  return accountMail(service, {
    title,
    text,
    blocks: [
      { facts: placeRows(place) },
      ...(key === undefined
        ? [{ note: t('If you did not expect this, contact us.') }]
        : [
            t(
              'Was this not you? Undo it within seven days. Your account gets this address back, and everyone is signed out of it.',
            ),
            {
              button: t('This wasn’t me'),
              href: `${service.baseUrl}${UNDO_EMAIL_CHANGE_PATH}?${new URLSearchParams({ key })}`,
            },
          ]),
    ],
    reason: t('You receive this because the address of your account changed.'),
  });
};
