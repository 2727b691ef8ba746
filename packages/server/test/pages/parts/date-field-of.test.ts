import { describe, expect, it } from 'vitest';
import { dateFieldOf, UnreadableText } from '../../../src/web/kit/parts/form.js';

const iso = (fields: Record<string, string>) => {
  const value = dateFieldOf(new URLSearchParams(fields), 'ends', null);
  return typeof value === 'number' ? new Date(value).toISOString() : value;
};

describe('dateFieldOf', () => {
  it('returns the value for a blank field', () => {
    expect(iso({})).toBeNull();
    expect(iso({ ends: ' ', 'ends-time': '', zone: 'Europe/Berlin' })).toBeNull();
  });

  it('reads a day without a time as its first moment, and without a zone in UTC', () => {
    expect(iso({ ends: '2026-12-05' })).toBe('2026-12-05T00:00:00.000Z');
    expect(iso({ ends: '2026-12-05', zone: '' })).toBe('2026-12-05T00:00:00.000Z');
    expect(iso({ ends: '2026-12-05', zone: 'Asia/Kolkata' })).toBe('2026-12-04T18:30:00.000Z');
  });

  it.each([
    ['winter in Berlin', '2026-01-15', '12:00', 'Europe/Berlin', '2026-01-15T11:00:00.000Z'],
    ['summer in Berlin', '2026-07-15', '12:00', 'Europe/Berlin', '2026-07-15T10:00:00.000Z'],
    ['a time that the clocks skip', '2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['the moment after the skipped hour', '2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['a time that the clocks show twice', '2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['a skipped midnight', '2026-04-24', '', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['a half-hour change', '2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['a zone ahead of UTC', '2026-01-01', '00:00', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
    ['a zone behind UTC', '2026-01-01', '23:59', 'Pacific/Pago_Pago', '2026-01-02T10:59:00.000Z'],
  ])('converts %s', (_name, ends, time, zone, expected) => {
    expect(iso({ ends, 'ends-time': time, zone })).toBe(expected);
  });

  it.each([
    ['a time without a day', { 'ends-time': '12:00' }],
    ['an impossible day', { ends: '2026-02-30' }],
    ['text', { ends: 'soon' }],
    ['a day with an offset in the time', { ends: '2026-12-05', 'ends-time': '12:00+05:00' }],
    ['a year before 1900', { ends: '0099-01-01', zone: 'Pacific/Kiritimati' }],
    ['a year outside the range of timestamps', { ends: '9999-12-31', zone: 'Pacific/Pago_Pago' }],
    ['an unknown time zone', { ends: '2026-12-05', zone: 'Mars/Olympus_Mons' }],
    ['a time zone with markup', { ends: '2026-12-05', zone: '<script>' }],
    ['an endless time zone', { ends: '2026-12-05', zone: 'A/'.repeat(10_000) }],
  ])('rejects %s', (_name, fields) => {
    expect(iso(fields as Record<string, string>)).toBeInstanceOf(UnreadableText);
  });
});
