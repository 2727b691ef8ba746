import { formatTimestamp } from '@latchkey/contract/constants';
import { csvLines } from '../../platform/csv.js';
import type { Database } from '../../platform/database/open-database.js';
import { asPage, PAGE_SIZE } from '../../platform/database/rows.js';
import { freeDropSlot } from './drop.queries.js';

/** `phoneNumber` is in E.164. */
export type DropSignup = Awaited<ReturnType<typeof readSignups>>[number];

const EXPORT_BATCH = 1_000;

export async function isSignedUp(db: Database, dropSlotId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('drop_signups')
    .select('id')
    .where('drop_slot_id', '=', dropSlotId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertDropSignup(
  db: Database,
  {
    id,
    dropSlotId,
    email,
    phoneNumber,
  }: { id: string; dropSlotId: string; email: string; phoneNumber: string | null },
  now: number,
): Promise<void> {
  await db
    .insertInto('drop_signups')
    .values({ id, drop_slot_id: dropSlotId, email, phone_number: phoneNumber, created_at: now })
    .execute();
}

/** Deletes all signups of an email address, and frees their slots. Must run in a transaction. */
export async function withdrawSignups(transaction: Database, email: string): Promise<void> {
  const withdrawn = await transaction
    .deleteFrom('drop_signups')
    .where('email', '=', email)
    .returning('drop_slot_id')
    .execute();
  // Every transaction uses the same order, which prevents deadlocks.
  for (const id of withdrawn.map((row) => row.drop_slot_id).toSorted()) await freeDropSlot(transaction, id);
}

/** Lists one page of a drop's signups, sorted by email address. `after` is where the previous page ended. */
export async function listSignups(db: Database, dropId: string, after: string | undefined) {
  return asPage(await readSignups(db, dropId, { after, limit: PAGE_SIZE + 1 }), ({ email }) => email);
}

export async function* exportSignups(db: Database, dropId: string): AsyncGenerator<string> {
  yield csvLines([['email', 'phone_number', 'signed_up_at']]);
  let after: string | undefined;
  do {
    const signups = await readSignups(db, dropId, { after, limit: EXPORT_BATCH });
    yield csvLines(
      signups.map(({ email, phoneNumber, createdAt }) => [email, phoneNumber, formatTimestamp(createdAt)]),
    );
    after = signups.length === EXPORT_BATCH ? signups.at(-1)?.email : undefined;
  } while (after !== undefined);
}

async function readSignups(
  db: Database,
  dropId: string,
  { after, limit }: { after: string | undefined; limit: number },
) {
  return await db
    .selectFrom('drop_signups')
    .select(['email', 'phone_number as phoneNumber', 'created_at as createdAt'])
    .where('drop_slot_id', '=', dropId)
    .$if(after !== undefined, (query) => query.where('email', '>', after ?? ''))
    .orderBy('email')
    .limit(limit)
    .execute();
}
