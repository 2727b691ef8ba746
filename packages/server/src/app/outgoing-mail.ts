import { composeAccountDeleted } from '../domain/account-deletion/account-deleted-mail.js';
import { composeReceipt } from '../domain/checkout/receipt-mail.js';
import { composeRenewalFailed } from '../domain/checkout/renewal-failed-mail.js';
import { composeInvitation } from '../domain/invitations/invitation-mail.js';
import { createMailWorker } from '../domain/mail/mail-worker.js';
import { composeTwoStepMail } from '../domain/two-step/two-step-mail.js';
import { type BackgroundWork, createBackgroundWork } from '../platform/background/background-work.js';
import type { Services } from './services.js';

/** Milliseconds between rounds. Buyers look for the receipt after they pay. */
const MAIL_EVERY_MS = 1_000;

/** Creates the work that sends queued mails. */
export function createOutgoingMail(
  services: Pick<Services, 'db' | 'clock' | 'logger' | 'mailer' | 'mailService'>,
): BackgroundWork {
  const composers = {
    receipt: composeReceipt,
    'renewal-failed': composeRenewalFailed,
    invitation: composeInvitation,
    'two-step': composeTwoStepMail,
    'account-deleted': composeAccountDeleted,
  };
  const worker = createMailWorker({ ...services, service: services.mailService, composers });
  return createBackgroundWork([{ workers: [worker], everyMs: MAIL_EVERY_MS }], services.logger);
}
