import { type DropState, dropState } from '../../../domain/drops/drop.js';
import type { DropSlot } from '../../../domain/drops/drops.js';
import { Count } from '../../ui/parts/money.js';
import { Pill } from '../../ui/parts/pill.js';

const PILLS: Readonly<Record<DropState, { tone: 'good' | 'warn' | 'neutral'; label: string }>> = {
  upcoming: { tone: 'warn', label: 'Upcoming' },
  running: { tone: 'good', label: 'Running' },
  ended: { tone: 'neutral', label: 'Ended' },
  cancelled: { tone: 'neutral', label: 'Cancelled' },
};

export function DropPill({ drop, now }: { drop: DropSlot; now: number }) {
  const { tone, label } = PILLS[dropState(drop, now)];
  return <Pill tone={tone}>{label}</Pill>;
}

/** Number of signups, with the number of slots if there is a limit: "12 of 100". */
export function Signups({ drop: { slots, slotsUsed } }: { drop: DropSlot }) {
  return (
    <span>
      <Count value={slotsUsed} />
      {slots !== null && (
        <>
          {' of '}
          <Count value={slots} />
        </>
      )}
    </span>
  );
}
