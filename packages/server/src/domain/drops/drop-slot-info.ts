import type { DropSlotInfo } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { DropSlot } from './drop-slots.js';

/** How many slots are left; null when the drop is unlimited. */
export function availableSlotsOf({ slots, slotsUsed }: DropSlot): number | null {
  return slots === null ? null : slots - slotsUsed;
}

/** A drop slot as callers see it (spec, "`dropSlotInfo`"). It is running from its start until before its end. */
export function dropSlotInfo(slot: DropSlot, now: number): DropSlotInfo {
  const { id, slots, slotsUsed, startsAt, endsAt } = slot;
  return {
    id,
    slots,
    slotsUsed,
    availableSlots: availableSlotsOf(slot),
    startsAt: formatTimestamp(startsAt),
    endsAt: endsAt === null ? null : formatTimestamp(endsAt),
    isCurrentlyActive: startsAt <= now && (endsAt === null || now < endsAt),
    dropNotification: null,
  };
}
