import type { ProvisionExternalCommand } from '@latchkey/contract';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import type { Database } from '../../platform/database/open-database.js';
import { Semaphore } from '../../platform/database/postgres/semaphore.js';

/** Maximum time in the queue, in milliseconds. */
const MAX_WAIT_MS = 30_000;

const ONE_AT_A_TIME = { permits: 1, stallTimeoutMs: MAX_WAIT_MS, maxWaitMs: MAX_WAIT_MS };

/** Queue of this process's calls. Calls for one buyer in one community run one after another. */
export interface ProvisioningQueue {
  /** @throws WaitTimeoutError if the earlier calls for the buyer take longer than 30 seconds. */
  run<Result>(command: ProvisionExternalCommand, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates the queue. Calls for one buyer also wait for each other in the database, at the membership's row, but each
 * holds a connection while it waits there. A few such calls would block all other requests. Correctness does not depend
 * on the queue: other processes, and other identifiers of the same buyer, bypass it.
 */
export function createProvisioningQueue(db: Database): ProvisioningQueue {
  // SQLite has one writer, and its write queue holds no connections.
  if (!hasRowLocks(db)) return { run: (_command, work) => work() };
  const semaphores = new Map<string, Semaphore>();
  return {
    async run({ communityId, email, messengerUserId }, work) {
      const buyer = `${communityId} ${email ?? messengerUserId}`;
      const semaphore = semaphores.get(buyer) ?? new Semaphore(ONE_AT_A_TIME);
      semaphores.set(buyer, semaphore);
      await semaphore.acquire();
      try {
        return await work();
      } finally {
        semaphore.release();
        if (semaphore.isIdle) semaphores.delete(buyer);
      }
    },
  };
}
