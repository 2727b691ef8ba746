import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import {
  countMembers,
  MEMBER_STATUSES,
  type MemberStatus,
} from '../src/features/memberships/member-status.js';
import {
  listMembersByStatus,
  readMemberPosition,
  searchMemberships,
} from '../src/features/memberships/membership-list.js';
import type { Database } from '../src/platform/database/open-database.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, memberships } = sandboxScenario;
const DAY = 24 * 3600_000;

/** Stored membership of a test. */
interface Stored {
  from?: number;
  until: number | null;
  subscription?: 'active' | 'cancelled';
}

async function createCommunity(db: Database): Promise<string> {
  const id = randomUUID();
  await db.insertInto('communities').values({ id, name: 'Club', created_at: START }).execute();
  return id;
}

/** Stores a member and returns the id of the membership. */
async function join(db: Database, communityId: string, { from, until, subscription }: Stored) {
  const [id, userId] = [randomUUID(), randomUUID()];
  await db
    .insertInto('users')
    .values({ id: userId, email: `${userId}@example.com`, created_at: START })
    .execute();
  await db
    .insertInto('memberships')
    .values({
      id,
      user_id: userId,
      product_type: 'community',
      community_id: communityId,
      product_id: null,
      valid_from: from ?? START - DAY,
      valid_until: until,
      subscription_id: subscription === undefined ? null : `sub_${id}`,
      subscription_cancelled_at: subscription === 'cancelled' ? START - 1 : null,
    })
    .execute();
  return id;
}

async function readAll(db: Database, communityId: string, status: MemberStatus): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | null | undefined = null; next !== undefined; ) {
    const page = await listMembersByStatus(db, { communityId, status, now: START }, readMemberPosition(next));
    seen.push(...page.rows.map(({ id }) => id));
    next = page.next;
  }
  return seen;
}

describe('members by status', () => {
  it('are active from the start to the end, end soon without a renewal, and are ended from the end on', async ({
    db,
  }) => {
    const club = await createCommunity(db);
    const lifetime = await join(db, club, { until: null });
    const monthly = await join(db, club, { until: START + 20 * DAY });
    const renewing = await join(db, club, { until: START + DAY, subscription: 'active' });
    const cancelled = await join(db, club, { until: START + DAY + 1, subscription: 'cancelled' });
    const soon = await join(db, club, { until: START + 14 * DAY });
    const startsNow = await join(db, club, { from: START, until: START + 1 });
    await join(db, club, { from: START + 1, until: null });
    await join(db, club, { from: START + 1, until: START + 2 * DAY });
    const endsNow = await join(db, club, { until: START });
    const former = await join(db, club, { until: START - DAY });
    await join(db, await createCommunity(db), { until: null });
    expect(await readAll(db, club, 'active')).toEqual([
      lifetime,
      monthly,
      soon,
      cancelled,
      renewing,
      startsNow,
    ]);
    expect(await readAll(db, club, 'ending')).toEqual([startsNow, cancelled, soon]);
    expect(await readAll(db, club, 'ended')).toEqual([endsNow, former]);
    const exactly = (count: number) => ({ count, hasMore: false });
    expect(await countMembers(db, club, START)).toEqual({
      all: exactly(10),
      active: exactly(6),
      ending: exactly(3),
      ended: exactly(2),
    });
  });

  it('are paginated without gaps or repeats, also with equal ends and starts', async ({ db }) => {
    const club = await createCommunity(db);
    const stored: Record<MemberStatus, string[]> = { active: [], ending: [], ended: [] };
    for (let member = 0; member < 60; member += 1) {
      const from = START - (member % 3) * DAY;
      const lifetime = await join(db, club, { from, until: null });
      const soon = await join(db, club, { from, until: START + (1 + (member % 2)) * DAY });
      stored.active.push(lifetime, soon);
      stored.ending.push(soon);
      stored.ended.push(await join(db, club, { from, until: START - (member % 2) * DAY }));
    }
    for (const status of MEMBER_STATUSES) {
      const seen = await readAll(db, club, status);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.toSorted()).toEqual(stored[status].toSorted());
    }
  });

  it('start at the first page if an address contains no position of the list', async ({ db }) => {
    const club = await createCommunity(db);
    const ended = await join(db, club, { until: START - DAY });
    const lifetime = await join(db, club, { until: null });
    const list = (status: MemberStatus) => ({ communityId: club, status, now: START });
    for (const text of [null, '', 'x', '1~2', `${START}~${START}~`, 'NaN~0~a', '0~never~a', '1~2~%']) {
      expect(readMemberPosition(text)).toBeUndefined();
    }
    const future = readMemberPosition(`${START + DAY}~${START + DAY}~${randomUUID()}`);
    expect((await listMembersByStatus(db, list('ended'), future)).rows.map(({ id }) => id)).toEqual([ended]);
    const upcoming = readMemberPosition(`never~${START + DAY}~${randomUUID()}`);
    expect((await listMembersByStatus(db, list('active'), upcoming)).rows.map(({ id }) => id)).toEqual([
      lifetime,
    ]);
  });

  it('are found by a search within the status only', async ({ db, service: _ }) => {
    const { community } = sandboxScenario;
    const found = async (text: string, status?: MemberStatus) => {
      const search = { text, status, now: START };
      return (await searchMemberships(db, { communityId: community.id }, search)).map(({ id }) => id);
    };
    expect(await found(users.ada.email)).toEqual([memberships.adaCommunity.id]);
    expect(await found(users.ada.email, 'active')).toEqual([memberships.adaCommunity.id]);
    expect(await found(users.ada.email, 'ended')).toEqual([]);
    expect(await found(users.cleo.email, 'ended')).toEqual([memberships.cleoCommunity.id]);
    expect(await found(users.cleo.email, 'ending')).toEqual([]);
  });

  it('are counted up to 1,000 in a list', async ({ db }) => {
    const club = await createCommunity(db);
    const ids = Array.from({ length: 1_001 }, () => randomUUID());
    for (let start = 0; start < ids.length; start += 1000) {
      const part = ids.slice(start, start + 1000);
      await db
        .insertInto('users')
        .values(part.map((id) => ({ id, email: null, created_at: START })))
        .execute();
      const rows = part.map((id) => ({
        id,
        user_id: id,
        product_type: 'community' as const,
        community_id: club,
        product_id: null,
        valid_from: START,
        valid_until: null,
      }));
      await db.insertInto('memberships').values(rows).execute();
    }
    const counts = await countMembers(db, club, START);
    expect(counts.active).toEqual({ count: 1_000, hasMore: true });
    expect(counts.all).toEqual({ count: 1_000, hasMore: true });
    expect(counts.ended).toEqual({ count: 0, hasMore: false });
  });
});
