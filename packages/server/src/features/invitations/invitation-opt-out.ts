import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { hasRows } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { recordAudit } from '../audit/audit.js';
import { mailboxHashOf } from '../budgets/budgets.js';

const OPT_OUT_LINK_LIFETIME_MS = 365 * DAY_MS;

/** Only hashes of the secret and of the mailbox are stored. */
export async function createOptOutLink(db: Database, email: string, now: number): Promise<string> {
  const secret = createOpaqueSecret();
  await db
    .insertInto('opt_out_links')
    .values({
      secret_hash: secret.hash,
      mailbox_hash: mailboxHashOf(email),
      expires_at: now + OPT_OUT_LINK_LIFETIME_MS,
    })
    .execute();
  return secret.text;
}

export async function hasOptedOut(db: Database, email: string): Promise<boolean> {
  return await hasRows(db.selectFrom('invitation_opt_outs').where('mailbox_hash', '=', mailboxHashOf(email)));
}

/** Returns the choice stored for the link's mailbox; `undefined` if the link is unknown or has expired. */
export async function findOptOutLink(db: Database, secret: string, now: number) {
  const row = await db
    .selectFrom('opt_out_links')
    .leftJoin('invitation_opt_outs', 'invitation_opt_outs.mailbox_hash', 'opt_out_links.mailbox_hash')
    .select('invitation_opt_outs.opted_out_at')
    .where('opt_out_links.secret_hash', '=', hashSecret(secret))
    .where('opt_out_links.expires_at', '>', now)
    .executeTakeFirst();
  return row && { isOptedOut: row.opted_out_at !== null };
}

/** Opts the link's mailbox out, or in again. Returns false if the link is unknown or has expired. */
export async function setOptOut(
  db: Database,
  { secret, isOptedOut }: { secret: string; isOptedOut: boolean },
  now: number,
): Promise<boolean> {
  return await inTransaction(db, async (transaction) => {
    const link = await transaction
      .selectFrom('opt_out_links')
      .select('mailbox_hash')
      .where('secret_hash', '=', hashSecret(secret))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (link === undefined) return false;
    const { mailbox_hash } = link;
    await (isOptedOut
      ? transaction
          .insertInto('invitation_opt_outs')
          .values({ mailbox_hash, opted_out_at: now })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      : transaction.deleteFrom('invitation_opt_outs').where('mailbox_hash', '=', mailbox_hash).execute());
    const action = isOptedOut ? 'opt-out.set' : 'opt-out.withdraw';
    await recordAudit(transaction, { action, subjectId: null });
    return true;
  });
}
