import { randomUUID } from 'node:crypto';
import type { Schema } from '../../migrations/schema.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import { sql } from '../../platform/database/kysely.js';
import { hasDueRow, isDue, type Lease, leaseRows, PENDING } from '../../platform/database/lease-rows.js';
import type { Database } from '../../platform/database/open-database.js';
import { currentLanguage } from '../../platform/language/language.js';
import type { MailDecision } from './mail-decision.js';

export type MailKind = Schema['mail_outbox']['kind'];

export interface NewMail {
  kind: MailKind;
  /** Id of the payment, invitation or change that causes the mail. Each has at most one mail of a kind. @default a new id */
  subjectId?: string;
  to: string;
  /** Id of the reader. The mail is in the language they last used. @default the holder of the address */
  userId?: string;
  /** Facts as of now that the composer needs later. Don't include secrets: they are stored as they are. */
  facts: object;
}

export type QueuedMail = Awaited<ReturnType<typeof leaseMails>>[number];

/**
 * Queues a mail in the transaction of its cause: both are stored or neither is. The mail is in the language that its
 * reader last used. A reader who never used one gets the language of the page that causes the mail: a guest who pays
 * gets the language of the checkout, an invited person the seller's. If no page causes it, the mail is in English.
 */
export async function queueMail(
  transaction: Database,
  { kind, subjectId = randomUUID(), to, userId, facts }: NewMail,
  now: number,
) {
  const reader = transaction
    .selectFrom('users')
    .select('language')
    .where((eb) => (userId === undefined ? eb('email', '=', to) : eb('id', '=', userId)));
  await transaction
    .insertInto('mail_outbox')
    .values({
      id: randomUUID(),
      kind,
      subject_id: subjectId,
      recipient: to,
      language: sql<string>`coalesce(${reader}, ${currentLanguage().language})`,
      facts: JSON.stringify(facts),
      status: 'pending',
      next_attempt_at: now,
      lease_id: null,
      leased_until: null,
      created_at: now,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doNothing())
    .execute();
}

export async function leaseMails(db: Database, { limit, ...lease }: Lease & { limit: number }, now: number) {
  if (!(await hasDueRow(db, 'mail_outbox', now))) return [];
  const candidates = sql`(select id from mail_outbox where ${isDue('mail_outbox', now)}
    order by next_attempt_at limit ${limit}${hasRowLocks(db) ? sql` for update skip locked` : sql``})`;
  const ids = await leaseRows(db, 'mail_outbox', { candidates, lease, now });
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('mail_outbox')
    .select(['id', 'kind', 'subject_id as subjectId', 'recipient as to', 'language', 'facts', 'attempts'])
    .select('created_at as createdAt')
    .where('id', 'in', ids)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({ ...row, leaseId: lease.id }));
}

/** Stores the result of an attempt. A worker that has lost its lease to another one can only store a success. */
export async function recordMailAttempt(
  db: Database,
  { id, leaseId }: Pick<QueuedMail, 'id' | 'leaseId'>,
  { decision, now }: { decision: MailDecision; now: number },
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({
      status: decision.status,
      attempts: eb('attempts', '+', 1),
      lease_id: null,
      leased_until: null,
      ...(decision.status === 'pending'
        ? { next_attempt_at: decision.nextAttemptAt }
        : // A finished mail needs neither its recipient nor its content.
          { finished_at: now, recipient: '', facts: '{}' }),
    }))
    .where('id', '=', id)
    .where('status', '=', PENDING)
    .$if(decision.status !== 'sent', (query) => query.where('lease_id', '=', leaseId))
    .execute();
}
