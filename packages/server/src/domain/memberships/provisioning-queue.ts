import type { ProvisionExternalCommand } from '@latchkey/contract';
import type { Database } from '../../platform/database/open-database.js';
import { hasRowLocks } from '../../platform/database/row-locks.js';
import { WaitingLine } from '../../platform/database/semaphore.js';

/** How long a call waits for those that were there before it for the same buyer, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** Lets this process's calls for one buyer in one community go one after another. */
export interface BuyerLines {
  /** @throws WaitedTooLongError when the calls before it have not ended in half a minute. */
  inTurn<Result>(command: ProvisionExternalCommand, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Calls for one buyer wait for each other in the database anyway, at the membership's row, and there each of them holds a
 * connection while it waits: a few would be enough to keep everybody else waiting. Here they hold nothing. What is right
 * is decided by the database alone: other processes, and the same buyer by another identifier, do not stand in this line.
 */
export function createBuyerLines(db: Database): BuyerLines {
  // SQLite has one writer, and commits together what arrives together.
  if (!hasRowLocks(db)) return { inTurn: (_command, work) => work() };
  const lines = new Map<string, WaitingLine>();
  return {
    async inTurn({ communityId, email, messengerUserId }, work) {
      const key = `${communityId} ${email ?? messengerUserId}`;
      const line = lines.get(key) ?? new WaitingLine(ONE_AT_A_TIME);
      lines.set(key, line);
      await line.enter();
      try {
        return await work();
      } finally {
        line.leave();
        if (line.isEmpty) lines.delete(key);
      }
    },
  };
}

const ONE_AT_A_TIME = { places: 1, patienceMs: LONGEST_WAIT_MS, longestMs: LONGEST_WAIT_MS };
