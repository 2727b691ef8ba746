/** Where a membership stands: it starts at its first instant and is over at its last. */
export type MembershipState = 'active' | 'future' | 'ended';

/** Where a membership stands now. `now` is milliseconds since the epoch. */
export function membershipState(
  { validFrom, validUntil }: { validFrom: number; validUntil: number | null },
  now: number,
): MembershipState {
  if (validUntil !== null && validUntil <= now) return 'ended';
  return validFrom <= now ? 'active' : 'future';
}
