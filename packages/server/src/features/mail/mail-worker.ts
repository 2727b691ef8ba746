import { randomUUID } from 'node:crypto';
import type { Needs } from '../../app/services.js';
import { unlessStopped, type Worker } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { speak } from '../../platform/language/language.js';
import { type MailMessage, MailRejectedError, withoutMailboxes } from '../../platform/mail/mailer.js';
import { decideMailAttempt, type MailAttemptResult } from './mail-decision.js';
import type { MailService } from './mail-frame.js';
import { leaseMails, type MailKind, type QueuedMail, recordMailAttempt } from './mail-outbox.js';

const BATCH_SIZE = 4;
/** Longer than sending takes: a worker that holds a mail for longer is considered dead. */
const LEASE_MS = 5 * 60_000;
/** How long a mail may still take when the process stops, in milliseconds. */
const STOPPING_GRACE_MS = 3_000;

/** Writes a mail in the current language when it's sent. Returns `undefined` if its reason is gone. */
export type MailComposer = (
  mail: Pick<QueuedMail, 'to' | 'subjectId' | 'facts'>,
  parts: { readonly db: Database; readonly service: MailService; readonly now: number },
) => Promise<Omit<MailMessage, 'to' | 'id'> | undefined>;

/** A mail is sent twice only if a process dies before it stores the answer. Both then have the same `Message-ID`. */
export function createMailWorker(
  {
    db,
    clock,
    logger,
    mailer,
    mailService: service,
  }: Needs<'db' | 'clock' | 'logger' | 'mailer' | 'mailService'>,
  composers: Readonly<Record<MailKind, MailComposer>>,
): Worker {
  async function handle(mail: QueuedMail, signal: AbortSignal): Promise<void> {
    const result = await unlessStopped(attempt(mail), { signal, graceMs: STOPPING_GRACE_MS });
    // The mail server may have the mail. It's sent again once the lease has ended.
    if (result === 'stopped') return;
    const now = clock.now();
    const { attempts, createdAt } = mail;
    const decision = decideMailAttempt(result, { attempts, createdAt, now, random: Math.random() });
    await recordMailAttempt(db, mail, { decision, now });
    if (decision.status === 'failed') {
      logger.error({ mail: mail.id, kind: mail.kind, attempts: attempts + 1 }, 'A mail could not be sent');
    }
  }

  async function attempt(mail: QueuedMail): Promise<MailAttemptResult> {
    try {
      const parts = { db, service, now: clock.now() };
      const message = await speak(mail.language, () => composers[mail.kind](mail, parts));
      if (message === undefined) return 'dropped';
      await mailer.send({ ...message, to: mail.to, id: mail.id });
      return 'sent';
    } catch (error) {
      const shown = withoutMailboxes(error);
      logger.warn({ mail: mail.id, kind: mail.kind, error: shown }, 'An attempt to send a mail failed');
      return error instanceof MailRejectedError ? 'rejected' : 'failed';
    }
  }

  return {
    name: 'mail',
    async runOnce(signal) {
      let handled = 0;
      for (;;) {
        if (signal.aborted) return handled;
        const now = clock.now();
        const lease = { id: randomUUID(), until: now + LEASE_MS, limit: BATCH_SIZE };
        const mails = await leaseMails(db, lease, now);
        const results = await Promise.allSettled(mails.map((mail) => handle(mail, signal)));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
        handled += mails.length;
        if (mails.length < BATCH_SIZE) return handled;
      }
    },
  };
}
