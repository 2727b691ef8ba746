import { DAY_MS } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import type { Worker } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { countRows } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { writeDecision } from '../memberships/administer-membership.js';
import { decideEndNow } from '../memberships/membership-change.js';
import { readMembership } from '../memberships/membership-periods.js';
import { membershipSql } from '../memberships/membership-state.js';

/** How long the roles and webhooks of a closed community stay, in milliseconds. Its last events arrive in that time. */
const CLEARED_AFTER_MS = 30 * DAY_MS;

const BATCH_SIZE = 100;

/** How many batches the owner's request waits for. A worker does the rest. */
const BATCHES_AT_ONCE = 20;

export async function countAffected(db: Database, communityId: string, now: number) {
  const members = db.selectFrom('memberships').where('community_id', '=', communityId);
  return {
    members: await countRows(members.where((eb) => membershipSql.isNotExpired(eb, now))),
    renewing: await countRows(members.where(membershipSql.isRenewing)),
  };
}

/** From this transaction on, the community sells and accepts nothing. Its memberships end right afterwards. */
export async function closeCommunity(
  db: Database,
  actor: CommunityActor,
  now: number,
): Promise<'closed' | 'not-owner'> {
  const result = await asAdministrator(db, actor, async (transaction, { role }) => {
    if (role !== 'OWNER') return 'not-owner';
    await storeClosing(transaction, actor.communityId, now);
    return 'closed';
  });
  if (result === 'closed') await endMemberships(db, actor.communityId, { now, batches: BATCHES_AT_ONCE });
  return result;
}

/** Withdraws the invitations too. The caller's transaction has checked that the community is open. */
export async function storeClosing(transaction: Database, communityId: string, now: number): Promise<void> {
  await transaction
    .updateTable('communities')
    .set({ closed_at: now })
    .where('id', '=', communityId)
    .where('closed_at', 'is', null)
    .execute();
  const withdrawn = await transaction
    .deleteFrom('invitations')
    .where('community_id', '=', communityId)
    .returning(['id', 'declined_at'])
    .execute();
  for (const { id: subjectId, declined_at } of withdrawn) {
    if (declined_at !== null) continue;
    await recordAudit(transaction, { action: 'invitation.withdraw', subjectId, communityId });
  }
  await recordAudit(transaction, { action: 'community.close', subjectId: communityId, communityId });
}

/** Ends memberships in batches, each with its event, where an interrupted call stopped. Returns how many. */
export async function endMemberships(
  db: Database,
  communityId: string,
  { now, batches }: { now: number; batches: number },
): Promise<number> {
  let ended = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const size = await inTransaction(db, async (transaction) => {
      const rows = await transaction
        .selectFrom('memberships')
        .selectAll()
        .where('community_id', '=', communityId)
        .where((eb) => eb.or([membershipSql.isNotExpired(eb, now), membershipSql.isRenewing(eb)]))
        .orderBy('id')
        .limit(BATCH_SIZE)
        .execute();
      let changed = 0;
      for (const row of rows) {
        const current = await readMembership(transaction, row, now);
        const decision = decideEndNow(current, now);
        if (decision.kind !== 'changed') continue;
        await writeDecision(transaction, { current, decision }, now);
        changed += 1;
      }
      return changed;
    });
    ended += size;
    if (size < BATCH_SIZE) break;
  }
  return ended;
}

/** Ends memberships that the request didn't get to, or a purchase in flight added. Clears the rest after a month. */
export function createClosingWorker({ db, clock }: Needs<'db' | 'clock'>): Worker {
  return {
    name: 'close communities',
    async runOnce(signal) {
      const closed = await db
        .selectFrom('communities')
        .select(['id', 'closed_at'])
        .where('closed_at', 'is not', null)
        .where('cleared_at', 'is', null)
        .orderBy('closed_at')
        .limit(BATCH_SIZE)
        .execute();
      let done = 0;
      for (const { id, closed_at } of closed) {
        if (signal.aborted) break;
        const now = clock.now();
        done += await endMemberships(db, id, { now, batches: Number.POSITIVE_INFINITY });
        if ((closed_at ?? now) > now - CLEARED_AFTER_MS) continue;
        await inTransaction(db, (transaction) => clear(transaction, id, now));
        done += 1;
      }
      return done;
    },
  };
}

/** Tables with rows of a closed community that nobody needs. Its plans, memberships and payments stay for the books. */
const CLEARED = [
  ...(['webhooks', 'drop_slots', 'messenger_bots', 'messenger_invites'] as const),
  ...(['messenger_accounts', 'community_emails', 'community_roles'] as const),
] as const;

async function clear(transaction: Database, communityId: string, now: number): Promise<void> {
  for (const table of CLEARED) {
    await transaction.deleteFrom(table).where('community_id', '=', communityId).execute();
  }
  await transaction
    .updateTable('communities')
    .set({ cleared_at: now, logo_url: null, accent: null })
    .where('id', '=', communityId)
    .execute();
}
