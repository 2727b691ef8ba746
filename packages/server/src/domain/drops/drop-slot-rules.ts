/** Most slots that a drop can have; more are better called unlimited. */
export const SLOTS_MAX = 1_000_000_000;

/** Whether a drop can have this many slots: a whole number from 0 to a thousand million. */
export function isSlotCount(slots: number): boolean {
  return Number.isInteger(slots) && slots >= 0 && slots <= SLOTS_MAX;
}

/** Whether a window has any time in it; `null` is no end. Milliseconds since the epoch. */
export function isWindow(startsAt: number, endsAt: number | null): boolean {
  return endsAt === null || endsAt > startsAt;
}
