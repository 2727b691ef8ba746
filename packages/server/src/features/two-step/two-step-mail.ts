import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { phrase, t } from '../../platform/language/language.js';
import { accountMail, placeFacts, placeRows } from '../mail/mail-frame.js';
import { queueMail } from '../mail/mail-outbox.js';
import type { MailComposer } from '../mail/mail-worker.js';
import type { SessionPlace } from '../sessions/sessions.js';
import { findUser } from '../users/users.js';

const twoStepFacts = placeFacts.extend({
  change: z.enum(['on', 'off', 'off-by-operator', 'recovery-code-used', 'new-recovery-codes', 'wrong-codes']),
  codesLeft: z.number().optional(),
});

type TwoStepFacts = z.output<typeof twoStepFacts>;

/** A change to a user's two-step sign-in, or another event that the user should learn of. */
export interface TwoStepChange extends SessionPlace {
  userId: string;
  change: TwoStepFacts['change'];
  codesLeft?: number;
}

const TEXTS: Readonly<Record<TwoStepFacts['change'], { title: string; text: string }>> = {
  on: {
    title: phrase('Two-step sign-in is on'),
    text: phrase(
      'From now on, signing in needs the e-mailed code and a code from your authenticator app. Keep your recovery codes in a safe place.',
    ),
  },
  off: {
    title: phrase('Two-step sign-in is off'),
    text: phrase('From now on, signing in needs the e-mailed code only. Your recovery codes no longer work.'),
  },
  'off-by-operator': {
    title: phrase('Two-step sign-in was turned off for you'),
    text: phrase(
      'The operator of the service turned it off. From now on, signing in needs the e-mailed code only. Your recovery codes no longer work.',
    ),
  },
  'recovery-code-used': {
    title: phrase('A recovery code was used'),
    text: phrase(
      'Someone entered one of your recovery codes in place of a code from your authenticator app. It does not work again.',
    ),
  },
  'new-recovery-codes': {
    title: phrase('You have new recovery codes'),
    text: phrase('Ten new recovery codes were created. The earlier ones no longer work.'),
  },
  'wrong-codes': {
    title: phrase('A sign-in stopped at the second step'),
    text: phrase(
      'Someone entered the e-mailed code, but no valid code of your authenticator app and no unused recovery code. The sign-in was stopped after five tries.',
    ),
  },
};

/** Queues the email about a change, in the change's transaction. A user without an email address receives none. */
export async function queueTwoStepMail(
  transaction: Database,
  { userId, ...facts }: TwoStepChange,
  now: number,
): Promise<void> {
  const to = (await findUser(transaction, userId))?.email ?? null;
  if (to === null) return;
  await queueMail(transaction, { kind: 'two-step', to, userId, facts: { ...facts, at: now } }, now);
}

export const composeTwoStepMail: MailComposer = async ({ facts: json }, { service }) => {
  const { change, codesLeft, ...place } = twoStepFacts.parse(JSON.parse(json));
  return accountMail(service, {
    title: t(TEXTS[change].title),
    text: t(TEXTS[change].text),
    blocks: [
      { facts: { ...placeRows(place), [t('Codes left')]: codesLeft !== undefined && `${codesLeft}` } },
      { button: t('View two-step sign-in'), href: `${service.baseUrl}/account/two-step` },
      {
        note: t(
          'If this was not you, someone else may be able to read your e-mail. Change the password of your mailbox, then sign out of all browsers on the page Sessions of your account, and contact us.',
        ),
      },
    ],
    reason: t('You receive this because the security of your account changed.'),
  });
};
