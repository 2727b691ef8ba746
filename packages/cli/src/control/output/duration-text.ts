const UNITS = [
  ['d', 24 * 3600_000],
  ['h', 3600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration as text: `31d 2h`, `-5m`, `0s`. Fractions of a second are left out. */
export function durationText(ms: number): string {
  // The clock is behind the real time after an older snapshot is loaded.
  if (ms <= -1_000) return `-${durationText(-ms)}`;
  if (ms < 0) return '0s';
  let left = ms;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(' ') || '0s';
}
