/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

/** Longest name of a time zone that is accepted. The longest of today has 32 characters. */
const ZONE_MAX_LENGTH = 64;

/** True if this platform supports the IANA time zone. */
export function isTimeZone(zone: string): boolean {
  if (zone === '' || zone.length > ZONE_MAX_LENGTH) return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the instant at which the clocks of a time zone show a local time. A time that they skip in spring counts from
 * before the change, so it becomes later. Of a time that they show twice, the first is returned.
 *
 * @param local the local time as if it were UTC, in milliseconds since the epoch.
 * @param zone a zone for which {@link isTimeZone} is true.
 */
export function instantInZone(local: number, zone: string): number {
  const offsetAt = offsetsOf(zone);
  const before = offsetAt(local - DAY_MS);
  const after = offsetAt(local + DAY_MS);
  const instants = [local - before, local - after].filter((instant) => instant + offsetAt(instant) === local);
  return instants.length > 0 ? Math.min(...instants) : local - before;
}

/** Returns a function for the zone's offset from UTC at an instant, in milliseconds. */
function offsetsOf(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const shown = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return shown - Math.floor(instant / 1000) * 1000;
  };
}
