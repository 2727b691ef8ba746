import { pipeline, Readable } from 'node:stream';
import { docsUrl, UUID } from '@latchkey/contract/constants';
import type { DirectoryRecord } from '../stores/kit-store.js';

/** The content of a CSV file, whole or in parts: a Node.js stream, or the body of a `fetch` response. */
export type CsvSource = string | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Thrown for a file that can't be imported. The message says which line. */
export class MembershipCsvError extends Error {
  override readonly name = 'MembershipCsvError';
  /** Line of the file, from 1. */
  readonly line: number;
  /** URL of the entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs = docsUrl('troubleshooting', 'csv_unreadable');

  constructor(line: number, problem: string, options?: ErrorOptions) {
    super(`Line ${line}: ${problem}`, options);
    this.line = line;
  }
}

/** The fields, with the column names that they can have, ignoring case, spaces, hyphens and underscores. */
const FIELDS = {
  membershipid: 'membershipId',
  communityid: 'communityId',
  productid: 'productId',
  pricingplanid: 'pricingPlanId',
  planid: 'pricingPlanId',
  exportedat: 'observedAt',
} as const;

type Field = (typeof FIELDS)[keyof typeof FIELDS];

/** A time with an offset. Without one, it would depend on the machine's time zone. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
/** Longest accepted row, in characters. Otherwise an unclosed quotation mark would read a whole file into memory. */
const MAX_ROW_CHARACTERS = 100_000;

/**
 * Reads memberships from the seller area's CSV file: `membership_id`, and `community_id` or `product_id`, optionally
 * `pricing_plan_id` and `exported_at` (an ISO-8601 time). Columns can be in any order, and others are ignored. Rows are
 * read as they're needed, so a file of any length takes little memory.
 * @param observedAt time of the export, in milliseconds since the epoch. What the directory has learnt about a plan
 * since then is kept.
 * @default observedAt the column `exported_at`, else the time of the import
 * @throws MembershipCsvError at the first row that isn't a membership.
 * @example await auth.directory.import(membershipRowsFromCsv(createReadStream('members.csv')));
 */
export async function* membershipRowsFromCsv(
  source: CsvSource,
  { observedAt }: { observedAt?: number | undefined } = {},
): AsyncGenerator<DirectoryRecord> {
  // Loaded here: only apps that import members need it.
  const { CsvError, parse } = await import('csv-parse');
  const rows = pipeline(
    Readable.from(typeof source === 'string' ? [source] : source),
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: MAX_ROW_CHARACTERS,
    }),
    // An error of either stream rejects the loop below.
    () => {},
  );
  let columns: readonly (Field | undefined)[] | undefined;
  let line = 1;
  try {
    for await (const { record: cells, info } of rows as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      line = info.lines;
      if (columns === undefined) columns = columnsOf(cells, line);
      else yield { ...recordOf(cells, columns, line), ...(observedAt === undefined ? {} : { observedAt }) };
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error, line) : error;
  }
  if (columns === undefined) throw new MembershipCsvError(1, 'the file is empty. Export it again.');
}

function columnsOf(cells: readonly string[], line: number): readonly (Field | undefined)[] {
  const columns = cells.map((cell) => {
    const name = cell.toLowerCase().replaceAll(/[\s_-]/g, '');
    return Object.entries(FIELDS).find(([known]) => known === name)?.[1];
  });
  const found = columns.filter((field) => field !== undefined);
  const twice = found.find((field, index) => found.indexOf(field) !== index);
  if (twice !== undefined)
    throw new MembershipCsvError(line, `two columns are the ${twice}. Remove one of them.`);
  if (found.includes('membershipId') && (found.includes('communityId') || found.includes('productId')))
    return columns;
  throw new MembershipCsvError(
    line,
    `the names of the columns must include membership_id, and community_id or product_id; got ${shown(cells.join(','))}. Export the file from the seller area, with commas between the columns.`,
  );
}

function recordOf(
  cells: readonly string[],
  columns: readonly (Field | undefined)[],
  line: number,
): DirectoryRecord {
  if (cells.length !== columns.length) {
    throw new MembershipCsvError(line, `has ${cells.length} cells, but the first row has ${columns.length}.`);
  }
  const idIn = (field: Field): string | undefined => {
    const value = cells[columns.indexOf(field)];
    if (value === undefined || value === '') return undefined;
    if (UUID.test(value)) return value;
    throw new MembershipCsvError(line, `${field} must be a UUID; got ${shown(value)}.`);
  };
  const membershipId = idIn('membershipId');
  if (membershipId === undefined) throw new MembershipCsvError(line, 'has no membership_id.');
  const observedAt = timeIn(cells[columns.indexOf('observedAt')], line);
  const [communityId, productId] = [idIn('communityId'), idIn('productId')];
  if ((communityId === undefined) === (productId === undefined)) {
    throw new MembershipCsvError(line, 'must have exactly one of community_id and product_id.');
  }
  return {
    membershipId,
    ...(communityId === undefined ? { productId } : { communityId }),
    // An empty cell means that the membership has no plan. If the column is missing, the file doesn't say.
    ...(columns.includes('pricingPlanId') ? { pricingPlanId: idIn('pricingPlanId') ?? null } : {}),
    ...(observedAt === undefined ? {} : { observedAt }),
  };
}

/** Reads a cell with a time. Returns milliseconds since the epoch, or undefined for an empty or missing cell. */
function timeIn(cell: string | undefined, line: number): number | undefined {
  if (cell === undefined || cell === '') return undefined;
  const time = ISO_TIME.test(cell) ? Date.parse(cell) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new MembershipCsvError(
    line,
    `exported_at must be a time such as 2026-11-26T12:00:00Z; got ${shown(cell)}.`,
  );
}

function unreadable(error: Error, line: number): MembershipCsvError {
  const lines: unknown = Reflect.get(error, 'lines');
  const at = typeof lines === 'number' ? lines : line;
  return new MembershipCsvError(at, `cannot be read as CSV. ${error.message}`, { cause: error });
}

const shown = (text: string) => JSON.stringify(text.slice(0, 100));
