/** Precision of a shown instant. */
export type TimePrecision = 'date' | 'minute' | 'second';

const DATE = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
const MINUTE = { ...DATE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const FORMATS: Readonly<Record<TimePrecision, Intl.DateTimeFormat>> = {
  date: new Intl.DateTimeFormat('en-GB', DATE),
  minute: new Intl.DateTimeFormat('en-GB', MINUTE),
  second: new Intl.DateTimeFormat('en-GB', { ...MINUTE, second: '2-digit' }),
};

/** Instant in UTC. The page script shows it in the visitor's time zone and keeps UTC in the title, unless `isUtc`. */
export function Time(props: {
  /** Milliseconds since the epoch. */
  at: number;
  /** @default "minute" */
  precision?: TimePrecision;
  /** True for tools that show UTC throughout. */
  isUtc?: boolean;
}) {
  const { at, precision = 'minute', isUtc = false } = props;
  return (
    <time dateTime={new Date(at).toISOString()} {...(!isUtc && { 'data-local': precision })} dir="ltr">
      {formatTime(at, precision)}
    </time>
  );
}

/** Formats an instant in UTC, in English: `22 Nov 2026, 06:51 UTC`, `22 Nov 2026`. */
export function formatTime(at: number, precision: TimePrecision = 'minute'): string {
  const text = FORMATS[precision].format(at);
  return precision === 'date' ? text : `${text} UTC`;
}
