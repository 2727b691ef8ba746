import type { Clock } from '../platform/clock.js';
import { logMessage } from '../platform/log-message.js';
import type { Logger } from '../platform/logger.js';
import { importInBatches } from './directory/create-directory.js';
import type { DirectoryRecord, MembershipDirectory } from './directory/membership-directory.js';
import { isTestDirectory } from './directory/memory-directory.js';
import type { MembershipCache } from './membership-cache.js';
import type { RecordedIds } from './recorded-ids.js';

/** Wraps the directory of an instance. Warns about one in memory. Changes also drop the cached memberships that they concern. */
export function siteDirectory(
  directory: MembershipDirectory,
  {
    clock,
    logger,
    cache,
    recordedIds,
  }: { clock: Clock; logger: Logger; cache: MembershipCache; recordedIds: RecordedIds },
): MembershipDirectory {
  if (isTestDirectory(directory)) {
    logger.warn(
      logMessage(
        'memory_directory',
        'The membership directory is a memoryDirectory, which is for tests only: a restart empties it, and then no gate opens. Use sqliteDirectory(file), postgresDirectory(pool) or redisDirectory(client).',
      ),
    );
  }
  /** A change that fails may have been stored nevertheless, so the cache is dropped in that case too. */
  const change = async (membershipIds: readonly string[], apply: () => Promise<void>): Promise<void> => {
    try {
      await apply();
    } finally {
      cache.forgetMemberships(membershipIds);
    }
  };
  const store = (given: readonly DirectoryRecord[]): Promise<void> => {
    const observedAt = clock.now();
    const records = given.map((each) => ({ observedAt, ...each }));
    return change(idsOf(records), () => directory.record(records));
  };
  return {
    find: (membershipIds) => directory.find(membershipIds),
    async record(given) {
      const records = [given].flat();
      await store(records);
      recordedIds.add(idsOf(records));
    },
    import: (rows) => importInBatches(rows, store),
    remove: (membershipIds) => change([membershipIds].flat(), () => directory.remove(membershipIds)),
    close: () => directory.close(),
  };
}

const idsOf = (records: readonly DirectoryRecord[]) => records.map(({ membershipId }) => membershipId);
