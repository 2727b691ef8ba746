const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

const CLOCK_WITH_SECONDS = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Date in UTC, in English. `at` is milliseconds since the epoch. */
export function PlainDate(props: { at: number }) {
  const date = new Date(props.at);
  return <time dateTime={date.toISOString()}>{DATE.format(date)}</time>;
}

/** Date and time in UTC, in English. `at` is milliseconds since the epoch. */
export function PlainDateTime(props: { at: number; seconds?: boolean }) {
  const date = new Date(props.at);
  const clock = props.seconds === true ? CLOCK_WITH_SECONDS : CLOCK;
  return <time dateTime={date.toISOString()}>{`${DATE.format(date)}, ${clock.format(date)} UTC`}</time>;
}
