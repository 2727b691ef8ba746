import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { exportUser, type UserExport } from '../src/features/user-export/export-user.js';
import { EXPORT_PARTS, PERSONAL_DATA } from '../src/features/user-export/personal-data.js';
import { sql } from '../src/platform/database/kysely.js';
import type { Database } from '../src/platform/database/open-database.js';
import { contentsByColumn, personalColumns } from './database/personal-columns.js';
import { type StoredPerson, storeEverythingOf, storePropertyOf } from './database/store-everything-of.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community, otherCommunity } = sandboxScenario;

/**
 * Returns the columns that the map of exports says nothing about: of an exported table any column, and of the others each that refers to
 * users or can contain personal data. Other tables contain names of communities and the like.
 */
async function undeclaredColumns(db: Database): Promise<string[]> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => !name.startsWith('sandbox_'));
  const personal = (await personalColumns(db)).filter((column) => !column.endsWith('.name'));
  return tables.flatMap(({ name, columns }) => {
    const data = Object.entries(PERSONAL_DATA).find(([table]) => table === name)?.[1];
    const all = columns.map((column) => column.name);
    if (data === undefined || 'about' in data) {
      const declared = data?.about ?? [];
      const missing = all.filter(
        (column) => personal.includes(`${name}.${column}`) && !declared.includes(column),
      );
      return missing.map((column) => `${name}.${column}`);
    }
    const parts = EXPORT_PARTS.filter(({ table }) => table === name);
    const missing = parts.flatMap((part) => {
      const withheld = Object.values(part.withheld).flatMap((names) => names.split(' '));
      const declared = [...Object.keys(part.by), ...part.columns, ...withheld];
      return all.filter((column) => !declared.includes(column));
    });
    return missing.map((column) => `${name}.${column}`);
  });
}

/** Stores rows about Ida and about Otto in every table, each with the other one as the other user. */
async function storeTwo({ server }: ServiceUnderTest, db: Database) {
  const create = async (mark: string, messengerUserId: number) => {
    const email = `${mark}@example.com`;
    const { id } = await server.operator.createUser({ email, name: mark, messengerUserId });
    return { id, email, messengerUserId, mark, rows: `--${messengerUserId % 10}` };
  };
  const ida = await create('ida-imber', 987_654_321);
  const otto = await create('otto-ozon', 123_456_789);
  for (const [person, other] of [
    [ida, otto],
    [otto, ida],
  ] as const) {
    // A community knows one address of each user, and the other one has it already.
    const stored = { ...person, other: other.id, named: person === ida ? users.ben.id : users.ada.id };
    await storeEverythingOf(db, stored, START);
    await storePropertyOf(db, stored, START);
  }
  return { ida, otto };
}

const exported = async (db: Database, { id }: Pick<StoredPerson, 'id'>) => {
  const result = await exportUser(db, { userId: id }, START);
  if (result === undefined) throw new Error('There is no such user.');
  return result;
};

const listOf = (data: UserExport, kind: string) => data[kind] as Record<string, unknown>[];

describe('what an export contains', () => {
  it('is decided for every column with the id, the address or other data of a user', async ({ db }) => {
    expect(await undeclaredColumns(db)).toEqual([]);
    expect(await personalColumns(db)).toContain('invitations.invited_by');
  });

  it('has to be decided for a new column with a user’s id, by its foreign key or by its name', async ({
    db,
  }) => {
    await sql`create table notes (id text, author text references users (id), pinned_by text, text text)`.execute(
      db,
    );
    await sql`alter table drop_slots add column owner_id text`.execute(db);
    await sql`alter table payments add column note text`.execute(db);
    try {
      expect((await undeclaredColumns(db)).toSorted()).toEqual([
        ...['drop_slots.owner_id', 'notes.author', 'notes.pinned_by', 'payments.note'],
      ]);
    } finally {
      await sql`drop table notes`.execute(db);
      await sql`alter table drop_slots drop column owner_id`.execute(db);
      await sql`alter table payments drop column note`.execute(db);
    }
  });

  it('is a row of each exported table, with every exported column, and nothing of another user', async ({
    service,
    db,
  }) => {
    const { ida, otto } = await storeTwo(service, db);
    for (const [person, other] of [
      [ida, otto],
      [otto, ida],
    ] as const) {
      const data = await exported(db, person);
      expect(data.user).toMatchObject({ id: person.id, email: person.email, name: person.mark });
      for (const { key, columns } of EXPORT_PARTS.filter(({ key }) => key !== 'user')) {
        const names = columns.map((column) =>
          column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        );
        expect([key, Object.keys(listOf(data, key)[0] ?? {})]).toEqual([key, expect.arrayContaining(names)]);
      }
      // The other person's key opened a checkout of the person, and both are members of each other's clubs.
      const own = { roles: 2, memberships: 2, orders: 2, messengerInvites: 2, messengerJoinRequests: 3 };
      // Each gave the other one a role, and the operator created the person.
      const logged = { changesByYou: 2, changesOfYou: 3 };
      const kinds = EXPORT_PARTS.map(({ key }) => key).filter((key) => key !== 'user');
      expect(Object.fromEntries(kinds.map((key) => [key, listOf(data, key).length]))).toEqual({
        ...Object.fromEntries(kinds.map((key) => [key, 1])),
        ...own,
        ...logged,
      });
      const text = JSON.stringify(data);
      expect(text).toContain(person.mark);
      for (const foreign of [other.id, other.mark, `${other.messengerUserId}`, 'friend--'])
        expect(text).not.toContain(foreign);
      expect(text).not.toMatch(new RegExp(`(?<!opened|other|Club)${other.rows}`));
    }
  });

  it('is no secret, no hash and no other withheld value', async ({ service, db }) => {
    const { ida } = await storeTwo(service, db);
    const text = JSON.stringify(await exported(db, ida));
    const contents = await contentsByColumn(db);
    const hidden = Object.entries(PERSONAL_DATA).flatMap(([table, data]) => {
      if ('about' in data) return data.about.map((column) => `${table}.${column}`);
      const parts = EXPORT_PARTS.filter((part) => part.table === table);
      // An id or a time can be in another part too.
      return parts.flatMap(({ withheld: { internal: _, others: _others, ...withheld } }) =>
        Object.values(withheld).flatMap((names) => names.split(' ').map((name) => `${table}.${name}`)),
      );
    });
    expect(hidden).toContain('second_factors.secret');
    const values = hidden.flatMap((column) =>
      column === 'checkout_links.reservation_id' ? [] : (contents.get(column) ?? []),
    );
    expect(values.filter((value) => value.length > 4 && text.includes(value))).toEqual([]);
    expect(text).not.toMatch(/hash-of|challenge-|SECRET|secret-of/);
    const columns = EXPORT_PARTS.flatMap((part) => part.columns);
    expect(columns.filter((column) => /hash|secret|challenge|token|code(?!s)/.test(column))).toEqual([]);
  });

  it('is JSON with ISO 8601 times, true and false, lists, and the names of what ids refer to', async ({
    service,
    db,
  }) => {
    const { ida } = await storeTwo(service, db);
    const data = await exported(db, ida);
    const now = '2026-06-12T14:05:00.000Z';
    expect(data.exportedAt).toBe(now);
    expect(data.user).toMatchObject({ emailVerifiedAt: now, createdAt: now });
    expect(listOf(data, 'roles')).toContainEqual({
      ...{ communityId: community.id, communityName: community.name, role: 'ADMIN', isActive: true },
    });
    expect(listOf(data, 'apiKeys')[0]).toMatchObject({ permissions: [], keyEnding: 'abcd', revokedAt: now });
    expect(listOf(data, 'clients')[0]).toMatchObject({ redirectUris: ['https://ida-imber.example/'] });
    expect(listOf(data, 'charges')[0]).toMatchObject({ facts: { openedAt: now } });
    expect(listOf(data, 'memberships')[0]).toMatchObject({
      ...{ validFrom: now, communityName: community.name, pricingPlanName: expect.any(String) },
    });
    expect(Object.keys(data)).toEqual(['exportedAt', 'user', ...Object.keys(data).slice(2)]);
    expect(JSON.stringify(data)).not.toContain(`${START}`);
  });

  it('lists what it leaves out, with the reasons', async ({ db }) => {
    const { notIncluded, cutOff } = await exported(db, users.ben);
    const dataWith = (word: string) => notIncluded.find(({ reason }) => reason.includes(word))?.data;
    expect(dataWith('secret')).toEqual(
      expect.arrayContaining(['sessions.idHash', 'twoStepSignIn.secret', 'webhooks.secret', 'checkoutLinks']),
    );
    expect(dataWith('another person')).toContain('invitationsSent.email');
    expect(dataWith('Log of webhooks')).toContain('webhookEvents');
    expect(cutOff).toBeNull();
  });

  it('says of which kinds it contains the latest rows only', async ({ db }) => {
    const base = { user_id: users.ben.id, expires_at: START, browser: null, network: null };
    for (const age of [1, 3, 2]) {
      const session = { ...base, id_hash: `old-${age}`, created_at: START - age * 1000 };
      await db.insertInto('user_sessions').values(session).execute();
    }
    const all = await exported(db, users.ben);
    const some = await exportUser(db, { userId: users.ben.id, rows: 2 }, START);
    expect(some?.cutOff).toEqual({ rows: 2, kinds: expect.arrayContaining(['sessions']) });
    const times = listOf(all, 'sessions').map(({ createdAt }) => createdAt as string);
    expect(times).toEqual(times.toSorted().reverse());
    expect(some?.sessions).toEqual(listOf(all, 'sessions').slice(0, 2));
    const exact = await exportUser(db, { userId: users.ben.id, rows: listOf(all, 'sessions').length }, START);
    expect(exact?.cutOff?.kinds ?? []).not.toContain('sessions');
  });
});

describe('what others claim about a person', () => {
  it('is not exported under an address that nobody has proved', async ({ service, db }) => {
    const { ida } = await storeTwo(service, db);
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', ida.id).execute();
    const data = await exported(db, ida);
    for (const { key } of EXPORT_PARTS.filter(
      ({ by }) => 'email' in by || 'recipient' in by || 'mailbox_hash' in by,
    ))
      expect([key, data[key]]).toEqual([key, []]);
    expect(JSON.stringify(data)).not.toContain('+49');
    expect(data.notIncluded.at(-1)?.data).toEqual(['everything that is stored under the email address only']);
  });

  it('includes no account of a stranger who tried the user’s invite', async ({ service, db }) => {
    const { ida } = await storeTwo(service, db);
    const request = { id: 'stranger', invite_id: `invite${ida.rows}`, messenger_user_id: 555_444_333 };
    await db
      .insertInto('messenger_join_requests')
      .values({ ...request, accepted: 0, reason: 'not-the-buyer', created_at: START })
      .execute();
    expect(JSON.stringify(await exported(db, ida))).not.toContain('555444333');
  });

  it('gives no join requests in the communities of others for a messenger account', async ({
    service,
    db,
  }) => {
    const { ida, otto } = await storeTwo(service, db);
    // The partner of another community claims that Otto has the account of Ida.
    const account = { user_id: otto.id, messenger_user_id: ida.messengerUserId, joined_at: START };
    await db
      .insertInto('messenger_accounts')
      .values({ community_id: otherCommunity.id, ...account })
      .execute();
    const requests = listOf(await exported(db, otto), 'messengerJoinRequests');
    expect(requests.map(({ messengerUserId }) => messengerUserId)).not.toContain(ida.messengerUserId);
    expect(requests).toHaveLength(3);
  });
});

describe('export by the operator', () => {
  it('is by id or by address', async ({ service }) => {
    const { operator } = service.server;
    const { id, email } = users.ben;
    const [byId, byEmail] = [
      await operator.exportUser({ id }),
      await operator.exportUser({ email: ' BEN@example.com' }),
    ];
    expect(byId.user).toMatchObject({ id, email });
    // Each export is a change of the log.
    expect(byEmail).toEqual({ ...byId, changesOfYou: byEmail.changesOfYou });
    expect(byEmail.changesOfYou).toContainEqual(expect.objectContaining({ action: 'user.export' }));
    expect(service.log.join()).toContain('The data of an account was exported by the operator');
  });

  it('needs a user, by one of them', async ({ service }) => {
    const { operator } = service.server;
    const { id, email } = await operator.createUser({ email: 'zoe@example.com' }).then(({ id }) => ({
      ...{ id, email: 'zoe@example.com' },
    }));
    await expect(operator.exportUser({ id, email } as never)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(operator.exportUser({} as never)).rejects.toMatchObject({ code: 'invalid_input' });
    await operator.deleteUser({ id });
    await expect(operator.exportUser({ id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(operator.exportUser({ email })).rejects.toMatchObject({ code: 'not_found' });
  });
});
