/** Writes a time span as days, hours, minutes and seconds: `6 d 23 h 59 min 12 s`. `public/assets/countdown.js` does the same. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const parts = [`${hours} h`, `${minutes} min`, `${seconds % 60} s`];
  return days === 0 ? parts.join(' ') : [`${days} d`, ...parts].join(' ');
}
