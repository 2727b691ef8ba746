/** Adds calendar months in UTC. A day that the month does not have becomes its last day. */
export function addMonths(instant: number, months: number): number {
  const from = new Date(instant);
  const to = new Date(instant);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return to.getTime();
}
