const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 24 * 3600_000],
  ['hour', 3600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** Formats a time in UTC: "12 Jun 2026, 14:05:00 UTC". */
export function instantText(iso: string): string {
  return `${DATE.format(Date.parse(iso))} UTC`;
}

/** Formats the time from one instant to another: "in 3 days". */
export function distanceText(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1000];
  return RELATIVE.format(Math.round(ms / size), unit);
}
