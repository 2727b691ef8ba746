import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { type DirectoryOptions, isSameSource, membershipDirectory, newerPlan } from './create-directory.js';
import type {
  DirectoryEntry,
  DirectoryStatement,
  MembershipDirectory,
  WebhookEventStore,
} from './kit-store.js';

/** Directories that a restart empties. The value is true for directories that are for tests only. */
const memoryDirectories = new WeakMap<object, boolean>();

/**
 * Creates a directory in this process's memory. For tests only: a restart empties it, and no gate opens until the
 * memberships are recorded again. `latchkey()` logs a warning, and throws if `NODE_ENV` is `production`.
 */
export function memoryDirectory(options: DirectoryOptions = {}): MembershipDirectory {
  const statements = new Map<string, DirectoryStatement>();
  const directory = membershipDirectory(
    {
      async find(membershipIds) {
        return membershipIds.flatMap((id) => {
          const statement = statements.get(id);
          return statement === undefined ? [] : [entryOf(statement)];
        });
      },
      async record(given) {
        const conflicts = given.flatMap((each) => {
          const stored = statements.get(each.membershipId);
          return stored === undefined || isSameSource(stored, each) ? [] : [entryOf(stored)];
        });
        if (conflicts.length > 0) return { kind: 'conflict', stored: conflicts };
        for (const each of given) {
          const plan = newerPlan(statements.get(each.membershipId)?.plan, each.plan);
          statements.set(each.membershipId, { ...each, plan });
        }
        return { kind: 'recorded' };
      },
      async remove(membershipIds) {
        for (const id of membershipIds) statements.delete(id);
      },
      async close() {},
    },
    options,
  );
  memoryDirectories.set(directory, true);
  return directory;
}

/** Marks a directory of another kind that a restart also empties. */
export function markMemoryDirectory(directory: object): void {
  memoryDirectories.set(directory, false);
}

/** True for a directory from {@link memoryDirectory}. */
export function isTestDirectory(directory: object): boolean {
  return memoryDirectories.get(directory) === true;
}

/** True for a directory that a restart empties: from {@link memoryDirectory}, or SQLite in memory. */
export function isMemoryDirectory(directory: object): boolean {
  return memoryDirectories.has(directory);
}

function entryOf({ membershipId, communityId, productId, plan }: DirectoryStatement): DirectoryEntry {
  return { membershipId, communityId, productId, pricingPlanId: plan?.id ?? null };
}

/** Maximum number of events. The oldest are dropped first. */
const MAX_EVENTS = 10_000;

interface Entry {
  /** Undefined once the event is done. */
  token: string | undefined;
  expiresAt: number;
}

/** Keeps events in this process. For development: a restart loses them, and processes don't share them. */
export function memoryEventStore(clock: Clock): WebhookEventStore {
  const entries = new Map<string, Entry>();
  const put = (eventId: string, entry: Entry) => {
    entries.delete(eventId);
    entries.set(eventId, entry);
    if (entries.size <= MAX_EVENTS) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  };
  return {
    async claim(eventId, leaseMs) {
      const entry = entries.get(eventId);
      if (entry !== undefined && clock.now() < entry.expiresAt) {
        return { kind: entry.token === undefined ? 'done' : 'running' };
      }
      const token = randomUUID();
      put(eventId, { token, expiresAt: clock.now() + leaseMs });
      return { kind: 'claimed', token };
    },
    async complete(eventId, keepMs) {
      put(eventId, { token: undefined, expiresAt: clock.now() + keepMs });
    },
    async release(eventId, token) {
      if (entries.get(eventId)?.token === token) entries.delete(eventId);
    },
  };
}
