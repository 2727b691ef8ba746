import { formatTimestamp, parseTimestamp } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';

/** Parses a timestamp and formats it as a response would. */
function echo(text: string): string | undefined {
  const ms = parseTimestamp(text);
  return ms === undefined ? undefined : formatTimestamp(ms);
}

describe('parseTimestamp', () => {
  it.each([
    ['a date, as its first instant in UTC', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['hours and minutes without offset, as UTC', '2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
    ['seconds without offset, as UTC', '2026-01-31T09:30:15', '2026-01-31T09:30:15.000Z'],
    ['Z', '2026-01-31T09:30:15Z', '2026-01-31T09:30:15.000Z'],
    ['an offset east', '2026-01-01T00:00:00+05:30', '2025-12-31T18:30:00.000Z'],
    ['an offset west in hours', '2026-01-01T00:00:00-08', '2026-01-01T08:00:00.000Z'],
    ['the largest offset', '2026-01-02T00:00:00+23:59', '2026-01-01T00:01:00.000Z'],
    ['one digit of fraction', '2026-01-31T09:30:15.5Z', '2026-01-31T09:30:15.500Z'],
    ['a fraction after a comma', '2026-01-31T09:30:15,25Z', '2026-01-31T09:30:15.250Z'],
    ['nanoseconds, cut to milliseconds', '2026-01-31T09:30:15.999999999Z', '2026-01-31T09:30:15.999Z'],
    ['29 February of a leap year', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['the first instant of year 0', '0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['the last instant of year 9999', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('parses %s', (_name, text, expected) => {
    expect(echo(text)).toBe(expected);
  });

  it.each([
    ['an empty text', ''],
    ['29 February of an ordinary year', '2026-02-29'],
    ['31 April', '2026-04-31'],
    ['month 13', '2026-13-01'],
    ['day 0', '2026-01-00'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['second 60', '2026-01-01T00:00:60Z'],
    ['an offset of 24 hours', '2026-01-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-01T00:00:00+00:60'],
    ['a space instead of T', '2026-01-01 00:00:00Z'],
    ['lower case', '2026-01-01t00:00:00z'],
    ['the basic notation', '20260101T000000Z'],
    ['an offset without colon', '2026-01-01T00:00:00+0530'],
    ['a date with an offset', '2026-01-01Z'],
    ['a month', '2026-01'],
    ['an American date', '01/31/2026'],
    ['epoch milliseconds', '1767225600000'],
    ['a year of five digits', '+010000-01-01T00:00:00Z'],
    ['surrounding space', ' 2026-01-01'],
    ['digits outside ASCII', '२०२६-०१-०१'],
    ['an instant before year 0', '0000-01-01T00:00:00+00:01'],
    ['an instant after year 9999', '9999-12-31T23:59:59.999-00:01'],
  ])('rejects %s', { tags: ['provision.malformed-timestamp'] }, (_name, text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe('formatTimestamp', () => {
  it('appends milliseconds and Z, also if they are zero', { tags: ['general.timestamp-format'] }, () => {
    expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, Date.parse('9999-12-31T23:59:59.999Z') + 1])(
    'throws for %d, which has no four-digit year or fractions of a millisecond',
    (ms) => {
      expect(() => formatTimestamp(ms)).toThrow(RangeError);
    },
  );
});
