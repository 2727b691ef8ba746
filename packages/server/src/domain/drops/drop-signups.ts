import { formatTimestamp } from '@latchkey/contract/constants';
import { csvLines } from '../../platform/csv.js';
import { asPage, type ListPage, PAGE_SIZE } from '../../platform/database/keyset.js';
import type { Database } from '../../platform/database/open-database.js';

/** Somebody who signed up for a drop. */
export interface DropSignup {
  email: string;
  /** E.164. */
  phoneNumber: string | null;
  createdAt: number;
}

const EXPORT_BATCH = 1_000;

/** One page of the people who signed up, by address; the page after the one that ended with `after`. */
export async function listSignups(
  db: Database,
  dropId: string,
  after: string | undefined,
): Promise<ListPage<DropSignup>> {
  return asPage(await readSignups(db, dropId, { after, limit: PAGE_SIZE + 1 }), ({ email }) => email);
}

/** Everybody who signed up, as CSV in parts: as many people as there are, a thousand in memory. */
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
): Promise<DropSignup[]> {
  const rows = await db
    .selectFrom('drop_signups')
    .select(['email', 'phone_number', 'created_at'])
    .where('drop_slot_id', '=', dropId)
    .$if(after !== undefined, (query) => query.where('email', '>', after ?? ''))
    .orderBy('email')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    email: row.email,
    phoneNumber: row.phone_number,
    createdAt: row.created_at,
  }));
}
