const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::\d{2})?)?)?$/;
const OFFSET = /^([+-])(\d{2})(?::(\d{2}))?$/;

/** The range of times with a four-digit year. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO-8601 timestamp of a request: an extended date (`2026-01-31`) or date-time. Seconds, fraction and offset
 * are optional. Without an offset it is UTC. Fractions are truncated to milliseconds.
 *
 * @returns milliseconds since the epoch, or `undefined` for other notations, an impossible date or time (31 April, hour
 * 24, second 60), and times outside the years 0000 to 9999.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = ISO_8601.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00', second = '00', fraction = '', offset = 'Z'] = match;
  const canonical = `${day}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const local = Date.parse(canonical);
  const offsetMinutes = parseOffset(offset);
  // `Date.parse` moves some impossible days into the next month. Only a real date formats back to the same string.
  if (Number.isNaN(local) || new Date(local).toISOString() !== canonical) return undefined;
  if (offsetMinutes === undefined) return undefined;
  const instant = local - offsetMinutes * 60_000;
  return hasFourDigitYear(instant) ? instant : undefined;
}

/**
 * Formats an instant as ISO-8601 with milliseconds and `Z`, the format of all responses.
 *
 * @param ms milliseconds since the epoch.
 * @throws RangeError when `ms` is not an integer or is outside the years 0000 to 9999.
 */
export function formatTimestamp(ms: number): string {
  if (!Number.isInteger(ms) || !hasFourDigitYear(ms)) {
    throw new RangeError(`formatTimestamp: ms must be an integer within the years 0000 to 9999; got ${ms}.`);
  }
  return new Date(ms).toISOString();
}

function hasFourDigitYear(ms: number): boolean {
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [, sign, hours = '', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
