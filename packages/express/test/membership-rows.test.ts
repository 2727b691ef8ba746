import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type DirectoryRecord,
  MembershipCsvError,
  membershipRowsFromCsv,
  memoryDirectory,
} from '../src/index.js';

const CLUB = 'c0ffee00-0000-4000-8000-0000000000c1';
const GUIDE = 'c0ffee00-0000-4000-8000-0000000000b1';
const ONE = 'aaaaaaaa-0000-4000-8000-000000000001';
const TWO = 'aaaaaaaa-0000-4000-8000-000000000002';
const PLAN = 'bbbbbbbb-0000-4000-8000-000000000001';
const HEADER = 'membership_id,community_id,product_id,pricing_plan_id,valid_from,valid_until';
const FILE = `${HEADER}\r\n${ONE},${CLUB},,${PLAN},2026-01-01T00:00:00.000Z,\r\n${TWO},,${GUIDE},,2026-01-01T00:00:00.000Z,\r\n`;
const ROWS = [
  { membershipId: ONE, communityId: CLUB, pricingPlanId: PLAN },
  { membershipId: TWO, productId: GUIDE, pricingPlanId: null },
];

async function read(...args: Parameters<typeof membershipRowsFromCsv>): Promise<DirectoryRecord[]> {
  const rows: DirectoryRecord[] = [];
  for await (const row of membershipRowsFromCsv(...args)) rows.push(row);
  return rows;
}

const errorOf = async (text: string) => read(text).catch((error: unknown) => error as MembershipCsvError);

describe('membershipRowsFromCsv', () => {
  it.each([
    ['the file of the seller area', FILE],
    ['line feeds only', FILE.replaceAll('\r\n', '\n')],
    ['carriage returns only', FILE.replaceAll('\r\n', '\r')],
    ['no line end at the end', FILE.trimEnd()],
    ['empty lines', FILE.replaceAll('\r\n', '\r\n\r\n')],
    ['a byte order mark', `\uFEFF${FILE}`],
    ['quotes around all cells', FILE.replaceAll(/[^,\r\n]+/g, '"$&"')],
    ['spaces around cells', FILE.replaceAll(',', ' , ')],
    ['names in camelCase', FILE.replace(HEADER, 'membershipId,communityId,productId,pricingPlanId,from,to')],
    ['names with spaces', FILE.replace(HEADER, 'Membership ID,Community ID,Product ID,Plan ID,From,To')],
    [
      'another order of columns',
      `plan_id,note,product_id,membership_id,community_id\n${PLAN},"a, ""b""\nc",,${ONE},${CLUB}\n,,${GUIDE},${TWO},\n`,
    ],
  ])('reads %s', async (_what, text) => {
    expect(await read(text)).toEqual(ROWS);
  });

  it('reads streams, whose parts can end anywhere', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-rows-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'members.csv'), FILE);
    expect(await read(createReadStream(join(folder, 'members.csv'), { highWaterMark: 7 }))).toEqual(ROWS);
    expect(await read(new Response(FILE).body ?? '')).toEqual(ROWS);
    const bytes = Buffer.from(`\uFEFF${FILE}`);
    expect(await read(Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1)))).toEqual(ROWS);
  });

  it('states no plan without the column, and the time of the export if it is given', async () => {
    const text = `membership_id,community_id\n${ONE},${CLUB}`;
    expect(await read(text, { observedAt: 5 })).toEqual([
      { membershipId: ONE, communityId: CLUB, observedAt: 5 },
    ]);
  });

  it.each([
    ['an empty file', '', 1, 'is empty'],
    ['no name for the id', `id,community_id\n${ONE},${CLUB}`, 1, 'must include membership_id'],
    ['semicolons', FILE.replaceAll(',', ';'), 1, 'commas between the columns'],
    ['a column twice', `membership_id,community_id,communityId\n${ONE},${CLUB},`, 1, 'two columns are'],
    ['no membership', `${HEADER}\n${ONE},${CLUB},,,,\n,${CLUB},,,,`, 3, 'has no membership_id'],
    ['no community or product', `${HEADER}\n${ONE},,,,,`, 2, 'exactly one of'],
    ['a community and a product', `${HEADER}\n${ONE},${CLUB},${GUIDE},,,`, 2, 'exactly one of'],
    [
      'a name instead of an id',
      `${HEADER}\n${ONE},Coffee club,,,,`,
      2,
      'communityId must be a UUID; got "Coffee club"',
    ],
    ['a formula', `${HEADER}\n'=1+1,${CLUB},,,,`, 2, 'membershipId must be a UUID'],
    ['a short row', `${HEADER}\n${ONE},${CLUB}`, 2, 'has 2 cells, but the first row has 6'],
    [
      'an error below a cell of two lines',
      `${HEADER}\n${ONE},${CLUB},,,"a\nb",\nx,${CLUB},,,,`,
      4,
      'must be a UUID',
    ],
    ['a quotation mark inside of a cell', `${HEADER}\n${ONE},c"0ffee,,,,\n`, 2, 'cannot be read as CSV'],
    ['an open quotation mark', `${HEADER}\n${ONE},"${CLUB},,,,\n`, 2, 'cannot be read as CSV'],
  ])('refuses %s, and names the line', async (_what, text, line, message) => {
    const error = await errorOf(text);
    expect(error).toBeInstanceOf(MembershipCsvError);
    expect(error).toMatchObject({ line, message: expect.stringContaining(message) });
    expect((error as Error).message).toMatch(new RegExp(`^Line ${line}: `));
  });

  it('refuses a row without end before it fills the memory', async () => {
    let parts = 0;
    function* endless() {
      yield `${HEADER}\n"`;
      for (; parts < 10_000; parts += 1) yield 'a'.repeat(1000);
    }
    await expect(read(endless())).rejects.toBeInstanceOf(MembershipCsvError);
    expect(parts).toBeLessThan(2_000);
  });

  it('passes on the error of a stream', async () => {
    async function* broken() {
      yield `${HEADER}\n`;
      throw new Error('The connection broke.');
    }
    await expect(read(broken())).rejects.toThrow('The connection broke.');
  });

  it('feeds the import of a directory, which keeps newer plans', async () => {
    const directory = memoryDirectory();
    await directory.record({ membershipId: ONE, communityId: CLUB, pricingPlanId: GUIDE });
    const observedAt = Date.parse('2026-01-01T00:00:00Z');
    expect(await directory.import(membershipRowsFromCsv(FILE, { observedAt }))).toEqual({ imported: 2 });
    const entries = await directory.find([ONE, TWO]);
    expect(entries.get(ONE)).toMatchObject({ communityId: CLUB, pricingPlanId: GUIDE });
    expect(entries.get(TWO)).toMatchObject({ productId: GUIDE, pricingPlanId: null });
  });

  it('takes the age of the plans from exported_at, unless the caller knows better', async () => {
    const file = `membership_id,community_id,pricing_plan_id,exported_at\n${ONE},${CLUB},${PLAN},2026-01-01T00:00:00Z\n`;
    expect(await read(file)).toMatchObject([{ observedAt: Date.parse('2026-01-01T00:00:00Z') }]);
    expect(await read(file, { observedAt: 5 })).toMatchObject([{ observedAt: 5 }]);
    const directory = memoryDirectory();
    await directory.record({ membershipId: ONE, communityId: CLUB, pricingPlanId: GUIDE });
    await directory.import(membershipRowsFromCsv(file));
    expect((await directory.find([ONE])).get(ONE)).toMatchObject({ pricingPlanId: GUIDE });
    expect(await read(file.replace(/2026.*Z/, ''))).toEqual([
      { membershipId: ONE, communityId: CLUB, pricingPlanId: PLAN },
    ]);
  });

  it.each(['yesterday', '2026-01-01', '2026-01-01T00:00:00', '2026-13-01T00:00:00Z', '1767225600000'])(
    'rejects %s as exported_at',
    async (time) => {
      const file = `membership_id,community_id,exported_at\n${ONE},${CLUB},${time}\n`;
      expect(await errorOf(file)).toMatchObject({
        message: `Line 2: exported_at must be a time such as 2026-11-26T12:00:00Z; got ${JSON.stringify(time)}.`,
      });
    },
  );
});
