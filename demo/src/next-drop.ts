import type { RunningSandbox } from '@latchkey/sandbox';

/** Drop of the shop's community. Times are milliseconds since the epoch. */
export interface Drop {
  readonly name: string;
  /** Null if unlimited. */
  readonly slots: number | null;
  readonly slotsUsed: number;
  readonly startsAt: number;
  /** Null without an end. */
  readonly endsAt: number | null;
}

/** Drop as the pages and the stream of the demo have it. */
export interface ShownDrop extends Pick<Drop, 'name' | 'startsAt' | 'endsAt'> {
  /** Slots left. Null if unlimited. */
  readonly available: number | null;
}

/** Returns what the pages show of a drop. Null if no drop is planned. */
export function shownDrop(drop: Drop | undefined): ShownDrop | null {
  if (drop === undefined) return null;
  const { name, startsAt, endsAt, slots, slotsUsed } = drop;
  return { name, startsAt, endsAt, available: slots === null ? null : Math.max(0, slots - slotsUsed) };
}

/** State of a drop by the service's clock. A full drop has not ended. */
export type DropPhase = 'upcoming' | 'running' | 'full' | 'ended';

/** Returns the state of a drop at a time. */
export function dropPhase({ slots, slotsUsed, startsAt, endsAt }: Drop, now: number): DropPhase {
  if (endsAt !== null && endsAt <= now) return 'ended';
  if (slots !== null && slotsUsed >= slots) return 'full';
  return startsAt <= now ? 'running' : 'upcoming';
}

/**
 * Reads the drop of a community: the first one that has not ended, otherwise the last one that has. The service has no
 * endpoint that reads a drop. A real shop knows the times of its own drops. The demo reads them from the sandbox, so that a
 * change in the seller area shows here.
 */
export async function readNextDrop(
  { clock, operator }: Pick<RunningSandbox, 'clock' | 'operator'>,
  communityId: string,
): Promise<Drop | undefined> {
  const drops = (await operator.list('drops', { limit: 200 })).records
    .filter((record) => record.communityId === communityId)
    .map((record): Drop => {
      const { name, slots, slotsUsed, startsAt, endsAt } = record;
      return {
        name: String(name),
        slots: typeof slots === 'number' ? slots : null,
        slotsUsed: Number(slotsUsed),
        startsAt: Date.parse(String(startsAt)),
        endsAt: typeof endsAt === 'string' ? Date.parse(endsAt) : null,
      };
    })
    .sort((a, b) => a.startsAt - b.startsAt);
  const now = clock.now();
  const isOver = (drop: Drop) => drop.endsAt !== null && drop.endsAt <= now;
  return drops.find((drop) => !isOver(drop)) ?? drops.at(-1);
}
