import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { connectDatabase, type Database, openDatabase } from '../src/platform/database/open-database.js';
import { signIn } from '../src/platform/database/schema/migrations/0001-sign-in.js';
import { service } from '../src/platform/database/schema/migrations/0002-service.js';
import { widgetReleases } from '../src/platform/database/schema/migrations/0003-widget-releases.js';
import { databaseUse } from '../src/platform/database/schema/migrations/0004-database-use.js';
import { messengerAccounts } from '../src/platform/database/schema/migrations/0005-messenger-accounts.js';
import { databaseUnderTest } from './service-under-test.js';

/** Schema of the version in which every identifier from a partner counted in all communities. */
const EARLIER_MIGRATIONS = {
  '0001-sign-in': signIn,
  '0002-service': service,
  '0003-widget-releases': widgetReleases,
  '0004-database-use': databaseUse,
  '0005-messenger-accounts': messengerAccounts,
};

const SHOP = 'community-shop';
const LURE = 'community-lure';

interface EarlierUser {
  id: string;
  email?: string;
  messengerUserId?: number;
  /** Communities whose partner provisioned the user. */
  provisionedBy?: readonly string[];
  /** Communities with a membership that was not provisioned. */
  grantedBy?: readonly string[];
  hasSession?: boolean;
}

/** Stores users with the earlier schema, migrates, and returns the database. */
async function migrated(
  users: readonly EarlierUser[],
  prepare: (db: Database) => Promise<void> = async () => undefined,
): Promise<{ db: Database; url: string }> {
  const url = await databaseUnderTest({ isMigrated: false });
  const earlier = await connectDatabase(url, { purpose: 'migrations' });
  const provider = { getMigrations: async () => EARLIER_MIGRATIONS };
  const { error } = await new Migrator({ db: earlier, provider }).migrateToLatest();
  expect(error).toBeUndefined();
  for (const id of [SHOP, LURE]) {
    await earlier.insertInto('communities').values({ id, name: id, created_at: 1 }).execute();
  }
  for (const user of users) await store(earlier, user);
  await prepare(earlier);
  await earlier.destroy();
  return { db: await openDatabase(url), url };
}

async function store(db: Database, user: EarlierUser): Promise<void> {
  const { id, email = null, messengerUserId = null, provisionedBy = [], grantedBy = [] } = user;
  await db
    .insertInto('users')
    .values({ id, email, name: null, messenger_user_id: messengerUserId, created_at: 7 })
    .execute();
  const membership = { user_id: id, product_type: 'community' as const, valid_from: 1, valid_until: null };
  for (const community of [...provisionedBy, ...grantedBy]) {
    const external_order_id = provisionedBy.includes(community) ? `order-${id}` : null;
    const row = { ...membership, id: `${id}-${community}`, community_id: community, product_id: null };
    await db
      .insertInto('memberships')
      .values({ ...row, external_order_id })
      .execute();
  }
  if (user.hasSession === true) {
    const session = { id_hash: `session-${id}`, user_id: id, created_at: 1, expires_at: 2 };
    await db.insertInto('user_sessions').values(session).execute();
  }
}

async function userOf(db: Database, id: string) {
  const columns = ['email', 'email_verified_at', 'messenger_user_id'] as const;
  return await db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

async function linksOf(db: Database, id: string) {
  const accounts = await db
    .selectFrom('messenger_accounts')
    .select(['community_id', 'messenger_user_id'])
    .where('user_id', '=', id)
    .orderBy('community_id')
    .execute();
  const addresses = await db
    .selectFrom('community_emails')
    .select(['community_id', 'email'])
    .where('user_id', '=', id)
    .orderBy('community_id')
    .execute();
  return {
    accounts: accounts.map((link) => [link.community_id, link.messenger_user_id]),
    addresses: addresses.map((link) => [link.community_id, link.email]),
  };
}

describe('identifiers of an earlier version', () => {
  it('stay with a user whom no partner provisioned', async ({ onTestFinished }) => {
    const { db } = await migrated([
      { id: 'operators', email: 'ada@example.com', messengerUserId: 1001, grantedBy: [SHOP, LURE] },
      { id: 'signed-in', email: 'ben@example.com', hasSession: true },
      { id: 'bought', email: 'cleo@example.com', grantedBy: [SHOP] },
    ]);
    onTestFinished(() => db.destroy());
    expect(await userOf(db, 'operators')).toEqual({
      email: 'ada@example.com',
      email_verified_at: 7,
      messenger_user_id: 1001,
    });
    expect(await userOf(db, 'signed-in')).toMatchObject({ email: 'ben@example.com', email_verified_at: 7 });
    expect(await userOf(db, 'bought')).toMatchObject({ email: 'cleo@example.com', email_verified_at: null });
    expect(await linksOf(db, 'operators')).toEqual({ accounts: [], addresses: [] });
  });

  it('restrict a messenger account to the communities that provisioned the user', async ({
    onTestFinished,
  }) => {
    const { db } = await migrated([
      {
        id: 'member',
        email: 'grace@example.com',
        messengerUserId: 66_666,
        provisionedBy: [LURE],
        grantedBy: [SHOP],
      },
      { id: 'account-only', messengerUserId: 70_001, provisionedBy: [SHOP, LURE] },
    ]);
    onTestFinished(() => db.destroy());
    expect(await userOf(db, 'member')).toEqual({
      email: 'grace@example.com',
      email_verified_at: null,
      messenger_user_id: null,
    });
    expect(await linksOf(db, 'member')).toEqual({ accounts: [[LURE, 66_666]], addresses: [] });
    expect(await userOf(db, 'account-only')).toMatchObject({ email: null, messenger_user_id: null });
    expect((await linksOf(db, 'account-only')).accounts).toEqual([
      [LURE, 70_001],
      [SHOP, 70_001],
    ]);
  });

  it('keep an address that signed in, and restrict one that several partners could have supplied', async ({
    onTestFinished,
  }) => {
    const both = { messengerUserId: 70_001, provisionedBy: [SHOP, LURE] };
    const { db } = await migrated([
      { ...both, id: 'proven', email: 'grace@example.com', hasSession: true },
      { ...both, id: 'ambiguous', email: 'mallory@evil.example', messengerUserId: 70_002 },
      { id: 'no-account', email: 'heidi@example.com', provisionedBy: [SHOP, LURE] },
    ]);
    onTestFinished(() => db.destroy());
    expect(await userOf(db, 'proven')).toMatchObject({ email: 'grace@example.com', email_verified_at: 7 });
    expect(await userOf(db, 'ambiguous')).toMatchObject({ email: null, email_verified_at: null });
    expect((await linksOf(db, 'ambiguous')).addresses).toEqual([
      [LURE, 'mallory@evil.example'],
      [SHOP, 'mallory@evil.example'],
    ]);
    expect(await userOf(db, 'no-account')).toMatchObject({ email: 'heidi@example.com' });
  });

  it('keep the account that joined by the link of a community, before the word of a partner', async ({
    onTestFinished,
  }) => {
    const grace = { email: 'grace@example.com', messengerUserId: 66_666, provisionedBy: [SHOP, LURE] };
    const link = { community_id: SHOP, user_id: 'member', messenger_user_id: 4711, joined_at: 1 };
    const { db } = await migrated([{ ...grace, id: 'member', hasSession: true }], async (earlier) => {
      await earlier.insertInto('messenger_accounts').values(link).execute();
    });
    onTestFinished(() => db.destroy());
    expect((await linksOf(db, 'member')).accounts).toEqual([
      [LURE, 66_666],
      [SHOP, 4711],
    ]);
  });

  it('keep an account in a community that it joined, although another community provisioned it', async ({
    onTestFinished,
  }) => {
    const grace = { email: 'grace@example.com', messengerUserId: 70_001, provisionedBy: [LURE] };
    const { db } = await migrated([{ ...grace, id: 'member', grantedBy: [SHOP] }], async (earlier) => {
      const invite = { id: 'invite', link_hash: 'hash', community_id: SHOP, user_id: 'member' };
      await earlier
        .insertInto('messenger_invites')
        .values({ ...invite, binds_account: 0, expires_at: 2, created_at: 1 })
        .execute();
      const request = { id: 'request', invite_id: 'invite', messenger_user_id: 70_001, accepted: 1 as const };
      await earlier
        .insertInto('messenger_join_requests')
        .values({ ...request, reason: null, created_at: 1 })
        .execute();
    });
    onTestFinished(() => db.destroy());
    expect((await linksOf(db, 'member')).accounts).toEqual([
      [LURE, 70_001],
      [SHOP, 70_001],
    ]);
  });
});
