import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import {
  DirectoryConflictError,
  DirectoryImportError,
  type DirectoryRecord,
  LatchkeyOptionsError,
  type MembershipDirectory,
} from '../../src/index.js';

/** Storage that several processes share, each with its own connections. */
export interface SharedDirectory {
  /** Opens the directory of another process. */
  join(): Promise<MembershipDirectory>;
  close(): Promise<void>;
}

const SHOP = '5eed0000-0000-4000-8000-0000000000c0';
const OTHER = '5eed0000-0000-4000-8000-0000000000c9';
const GUIDE = '5eed0000-0000-4000-8000-0000000000d0';
const MONTHLY = '5eed0000-0000-4000-8000-0000000000a1';
const YEARLY = '5eed0000-0000-4000-8000-0000000000a2';
const NOON = Date.UTC(2030, 0, 1, 12);

/** Tests that every store must pass. */
export function describeDirectory(name: string, open: () => Promise<SharedDirectory>): void {
  describe(`a membership directory in ${name}`, () => {
    let shared: SharedDirectory;
    let directory: MembershipDirectory;
    beforeEach(async () => {
      shared = await open();
      directory = await shared.join();
    });
    afterEach(() => shared.close());

    const entryOf = async (id: string, from = directory) => (await from.find([id])).get(id.toLowerCase());

    it('contains nothing at first', async () => {
      expect([...(await directory.find([randomUUID()]))]).toEqual([]);
      expect([...(await directory.find([]))]).toEqual([]);
    });

    it('returns what was recorded, to every process', async () => {
      const [member, reader] = [randomUUID(), randomUUID()];
      await directory.record([
        { membershipId: member, communityId: SHOP, pricingPlanId: MONTHLY },
        { membershipId: reader, productId: GUIDE },
      ]);
      const found = await (await shared.join()).find([reader, randomUUID(), member]);
      expect(Object.fromEntries(found)).toEqual({
        [member]: { membershipId: member, communityId: SHOP, productId: null, pricingPlanId: MONTHLY },
        [reader]: { membershipId: reader, communityId: null, productId: GUIDE, pricingPlanId: null },
      });
    });

    it('compares ids in lower case', async () => {
      const id = randomUUID();
      await directory.record({
        membershipId: id.toUpperCase(),
        communityId: SHOP.toUpperCase(),
        pricingPlanId: MONTHLY.toUpperCase(),
      });
      await directory.record({ membershipId: id, communityId: SHOP });
      expect([...(await directory.find([id.toUpperCase(), id]))]).toEqual([
        [id, { membershipId: id, communityId: SHOP, productId: null, pricingPlanId: MONTHLY }],
      ]);
    });

    it('keeps the plan that was observed last, whatever the order and number of records', async () => {
      const statements = fc.uniqueArray(
        fc.record({
          observedAt: fc.integer({ min: NOON, max: NOON + 20 }),
          pricingPlanId: fc.constantFrom(MONTHLY, YEARLY, null),
        }),
        { selector: ({ observedAt }) => observedAt, minLength: 1, maxLength: 5 },
      );
      const deliveries = statements.chain((list) =>
        fc.record({
          list: fc.constant(list),
          order: fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }),
          batch: fc.integer({ min: 1, max: 4 }),
        }),
      );
      await fc.assert(
        fc.asyncProperty(deliveries, async ({ list, order, batch }) => {
          const membershipId = randomUUID();
          for (let first = 0; first < order.length; first += batch) {
            await directory.record(
              order.slice(first, first + batch).map((each) => ({ membershipId, communityId: SHOP, ...each })),
            );
          }
          const newest = list.toSorted((a, b) => b.observedAt - a.observedAt)[0];
          expect((await entryOf(membershipId))?.pricingPlanId).toBe(newest?.pricingPlanId);
        }),
        fuzzRuns(25),
      );
    });

    it('keeps the plan if a newer record does not state one, or an equally old one states another', async () => {
      const membershipId = randomUUID();
      const record = (fields: Partial<DirectoryRecord>) =>
        directory.record({ membershipId, communityId: SHOP, ...fields });
      await record({ observedAt: NOON + 5 });
      await record({ pricingPlanId: MONTHLY, observedAt: NOON });
      await record({ observedAt: NOON + 9 });
      await record({ pricingPlanId: YEARLY, observedAt: NOON });
      expect((await entryOf(membershipId))?.pricingPlanId).toBe(MONTHLY);
      await record({ pricingPlanId: null, observedAt: NOON + 1 });
      await record({ pricingPlanId: YEARLY, observedAt: NOON });
      expect((await entryOf(membershipId))?.pricingPlanId).toBe(null);
    });

    it.each<[string, Partial<DirectoryRecord>]>([
      ['another community', { communityId: OTHER }],
      ['a product', { communityId: undefined, productId: GUIDE }],
      ['a product with the id of the community', { communityId: undefined, productId: SHOP }],
    ])('refuses a record that names %s, and changes nothing', async (_name, contradiction) => {
      const [membershipId, first, last] = [randomUUID(), `0${randomUUID()}`, `f${randomUUID()}`];
      await directory.record({ membershipId, communityId: SHOP, pricingPlanId: MONTHLY, observedAt: NOON });
      const refused = directory.record([
        { membershipId: first, communityId: SHOP },
        { membershipId, communityId: SHOP, pricingPlanId: YEARLY, observedAt: NOON + 1, ...contradiction },
        { membershipId: last, communityId: SHOP },
      ]);
      await expect(refused).rejects.toThrow(DirectoryConflictError);
      await expect(refused).rejects.toThrow(`Membership ${membershipId} belongs to community ${SHOP}`);
      await expect(refused).rejects.toMatchObject({
        conflicts: [{ membershipId, stored: { communityId: SHOP, productId: null } }],
      });
      expect([...(await directory.find([first, last, membershipId])).values()]).toEqual([
        { membershipId, communityId: SHOP, productId: null, pricingPlanId: MONTHLY },
      ]);
    });

    it('refuses contradicting records of one call', async () => {
      const membershipId = randomUUID();
      const refused = directory.record([
        { membershipId, communityId: SHOP },
        { membershipId: membershipId.toUpperCase(), communityId: OTHER },
      ]);
      await expect(refused).rejects.toThrow(DirectoryConflictError);
      expect(await entryOf(membershipId)).toBeUndefined();
    });

    it('returns thousands of entries of one call', async () => {
      const ids = Array.from({ length: 20_000 }, () => randomUUID());
      await directory.record(
        ids
          .filter((_, index) => index % 4 === 0)
          .map((membershipId) => ({ membershipId, communityId: SHOP })),
      );
      const found = await directory.find(ids);
      expect(found.size).toBe(5_000);
      expect(found.get(ids[4] ?? '')?.communityId).toBe(SHOP);
      expect(found.has(ids[5] ?? '')).toBe(false);
    });

    it('ignores ids that no service issues', async () => {
      const odd = ['', ' ', 'a b', "' or 1=1 --", '\0', 'ü', 'x'.repeat(10_000), '{"a":1}'];
      expect([...(await directory.find(odd))]).toEqual([]);
      await directory.remove(odd);
    });

    it('removes entries', async () => {
      const [kept, removed] = [randomUUID(), randomUUID()];
      await directory.record([kept, removed].map((membershipId) => ({ membershipId, communityId: SHOP })));
      await directory.remove([removed.toUpperCase(), randomUUID()]);
      expect([...(await directory.find([kept, removed])).keys()]).toEqual([kept]);
      await directory.record({ membershipId: removed, communityId: OTHER });
      expect((await entryOf(removed))?.communityId).toBe(OTHER);
      await directory.remove(removed);
      expect(await entryOf(removed)).toBeUndefined();
    });

    it('imports lists and streams in batches', async () => {
      const rows = Array.from({ length: 1_201 }, () => ({ membershipId: randomUUID(), communityId: SHOP }));
      expect(await directory.import(rows)).toEqual({ imported: 1_201 });
      async function* stream() {
        for (const row of rows) yield { ...row, pricingPlanId: YEARLY };
      }
      expect(await directory.import(stream())).toEqual({ imported: 1_201 });
      const found = await directory.find(rows.map(({ membershipId }) => membershipId));
      expect([...found.values()].filter(({ pricingPlanId }) => pricingPlanId === YEARLY)).toHaveLength(1_201);
    });

    it('stops an import at the first wrong row, and reports the stored rows', async () => {
      const rows: DirectoryRecord[] = Array.from({ length: 600 }, () => ({
        membershipId: randomUUID(),
        communityId: SHOP,
      }));
      const failing = directory.import([...rows, { membershipId: 'no id', communityId: SHOP }]);
      await expect(failing).rejects.toThrow(DirectoryImportError);
      await expect(failing).rejects.toThrow('after 500 stored rows');
      await expect(failing).rejects.toMatchObject({ imported: 500, cause: expect.any(LatchkeyOptionsError) });
    });

    it('accepts concurrent records of many processes, from the first one on', async () => {
      const fresh = await open();
      const processes = await Promise.all(Array.from({ length: 4 }, () => fresh.join()));
      const ids = Array.from({ length: 40 }, () => randomUUID());
      const work = processes.flatMap((each, index) =>
        Array.from({ length: 10 }, (_, round) => {
          const order = index % 2 === 0 ? ids : ids.toReversed();
          const pricingPlanId = `plan-${index}-${round}`;
          const observedAt = NOON + index * 100 + round;
          return each.record(
            order.map((membershipId) => ({ membershipId, communityId: SHOP, pricingPlanId, observedAt })),
          );
        }),
      );
      await Promise.all(work);
      const found = await (await fresh.join()).find(ids);
      expect(new Set([...found.values()].map(({ pricingPlanId }) => pricingPlanId))).toEqual(
        new Set(['plan-3-9']),
      );
      expect(found.size).toBe(40);
      await fresh.close();
    });

    it('decides one of two concurrent claims on a membership', async () => {
      const [a, b] = [await shared.join(), await shared.join()];
      for (let round = 0; round < 10; round += 1) {
        const membershipId = randomUUID();
        const results = await Promise.allSettled([
          a.record({ membershipId, communityId: SHOP }),
          b.record({ membershipId, communityId: OTHER }),
        ]);
        expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        const winner = results[0].status === 'fulfilled' ? SHOP : OTHER;
        expect((await entryOf(membershipId))?.communityId).toBe(winner);
      }
    });
  });
}
