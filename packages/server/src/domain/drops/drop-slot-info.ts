import type { DropSlotInfo } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import { dropState } from './drop.js';
import type { DropSlot } from './drops.js';

/** Returns the number of free slots; null if the drop is unlimited. */
export function availableSlotsOf({ slots, slotsUsed }: DropSlot): number | null {
  return slots === null ? null : slots - slotsUsed;
}

/** Returns a drop as the API shows it (spec, "`dropSlotInfo`"). */
export function dropSlotInfo(slot: DropSlot, now: number): DropSlotInfo {
  const { id, slots, slotsUsed, startsAt, endsAt } = slot;
  return {
    id,
    slots,
    slotsUsed,
    availableSlots: availableSlotsOf(slot),
    startsAt: formatTimestamp(startsAt),
    endsAt: endsAt === null ? null : formatTimestamp(endsAt),
    isCurrentlyActive: dropState(slot, now) === 'running',
    dropNotification: null,
  };
}
