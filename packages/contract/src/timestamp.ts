const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::\d{2})?)?)?$/;
const OFFSET = /^([+-])(\d{2})(?::(\d{2}))?$/;

/** The instants that a four-digit year can write. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO-8601 timestamp as the API takes it: an extended date (`2026-01-31`) or date-time; seconds, fraction
 * and offset are optional. No offset means UTC. Fractions below a millisecond are cut off.
 *
 * @returns milliseconds since the epoch, or `undefined` for anything else: other notations, an impossible day or
 * time (31 April, hour 24, second 60), instants outside the years 0000 to 9999.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = ISO_8601.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00', second = '00', fraction = '', offset = 'Z'] = match;
  const canonical = `${day}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const local = Date.parse(canonical);
  const offsetMinutes = parseOffset(offset);
  // Date.parse rolls some impossible days over into the next month; only a real instant echoes as it was written.
  if (Number.isNaN(local) || new Date(local).toISOString() !== canonical) return undefined;
  if (offsetMinutes === undefined) return undefined;
  const instant = local - offsetMinutes * 60_000;
  return isWritable(instant) ? instant : undefined;
}

/**
 * Writes an instant as the API emits it: ISO-8601 with milliseconds and `Z`.
 *
 * @param ms milliseconds since the epoch.
 * @throws RangeError when `ms` is not a whole number or lies outside the years 0000 to 9999.
 */
export function formatTimestamp(ms: number): string {
  if (!Number.isInteger(ms) || !isWritable(ms)) {
    throw new RangeError(
      `formatTimestamp takes whole milliseconds within the years 0000 to 9999, not ${ms}.`,
    );
  }
  return new Date(ms).toISOString();
}

function isWritable(ms: number): boolean {
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [, sign, hours = '', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
