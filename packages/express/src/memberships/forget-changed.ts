import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { importInBatches } from '../stores/create-directory.js';
import type { DirectoryRecord, MembershipDirectory } from '../stores/kit-store.js';
import { isTestDirectory } from '../stores/memory.js';
import type { MembershipCache } from './membership-cache.js';
import type { RecordedIds } from './membership-source.js';
import type { ChangedSource } from './source-changes.js';

/** Whose memberships have changed, as far as the sender knows. */
export interface MembershipChange {
  membershipId?: string | undefined;
  /**
   * Id of the user. Ignored unless it equals a visitor's `sub`: webhooks and provisioning may use other user ids than
   * sign-in.
   */
  userId?: string | undefined;
  communityId?: string | undefined;
  productId?: string | undefined;
}

interface ChangeDelivery {
  readonly type: string;
  readonly body: unknown;
  readonly source: { readonly communityId: string } | { readonly productId: string } | undefined;
}

type MembershipIdReader = (
  delivery: ChangeDelivery & { source: NonNullable<ChangeDelivery['source']> },
) => { membershipId?: string | undefined } | undefined;

interface NamedIds {
  membershipIds: readonly string[];
  userIds: readonly string[];
}

/**
 * Drops the cached memberships that a change affects: the memberships of the visitor that the membership or the user id
 * identifies. If neither identifies one, the change can affect any visitor, even one without a membership. Then it
 * drops the memberships of the community or product, or all if neither is known.
 */
export function forgetChanged(cache: MembershipCache, change: MembershipChange): void {
  const { membershipId, userId, ...source } = change;
  const membershipIds = membershipId === undefined ? [] : [membershipId];
  forgetNamed(cache, { membershipIds, userIds: userId === undefined ? [] : [userId] }, source);
}

/**
 * Drops the cached memberships that a verified delivery may affect, like {@link forgetChanged}.
 * @param readMembership reads the membership id instead of looking at the usual places in the body.
 */
export function forgetDelivered(
  cache: MembershipCache,
  delivery: ChangeDelivery,
  readMembership?: MembershipIdReader | undefined,
): void {
  const { source, body } = delivery;
  const ids = idsIn(body);
  if (source === undefined || readMembership === undefined) {
    forgetNamed(cache, ids, source ?? {});
    return;
  }
  const membershipId = readMembership({ ...delivery, source })?.membershipId;
  const membershipIds = membershipId === undefined ? [] : [membershipId];
  forgetNamed(cache, { ...ids, membershipIds }, source);
}

function forgetNamed(
  cache: MembershipCache,
  { membershipIds, userIds }: NamedIds,
  source: ChangedSource,
): void {
  const owners = membershipIds.map((id) => cache.visitorsWith(id));
  const visitors = new Set([...owners.flat(), ...userIds.filter((id) => cache.isVisitor(id))]);
  for (const visitor of visitors) cache.forget(visitor);
  // Several memberships can each belong to a different visitor.
  const isIdentified = visitors.size > 0 && (owners.length < 2 || owners.every(({ length }) => length > 0));
  if (!isIdentified) cache.outdate(source);
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the ids in a webhook body, at fixed places only, as for the recorded membership: the {@link bodyPlaces}, and
 * `membership` and `user` in each. It never searches the body, since buyers can write parts of it.
 */
function idsIn(body: unknown): NamedIds {
  const outer = bodyPlaces(body);
  const inner = (name: string) => outer.map((place) => fieldsIn(place, name));
  return {
    membershipIds: distinct([
      ...textsAt(outer, ['membershipId', 'membership_id', 'membership']),
      ...textsAt(inner('membership'), ['id', 'membershipId', 'membership_id']),
    ]),
    userIds: distinct([
      ...textsAt(outer, ['sub', 'userId', 'user_id', 'user']),
      ...textsAt(inner('user'), ['sub', 'id', 'userId', 'user_id']),
      ...textsAt(inner('membership'), ['userId', 'user_id']),
    ]),
  };
}

function textsAt(places: readonly Fields[], names: readonly string[]): string[] {
  const values = places.flatMap((place) => names.map((name) => ownValue(place, name)));
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

const distinct = (ids: readonly string[]) => [...new Set(ids)];

/** Places of a webhook body where ids can be: its top level, `data`, `object`, `payload` and `data.object`. */
export function bodyPlaces(body: unknown): readonly [top: Fields, ...Fields[]] {
  const top = fieldsOf(body);
  const data = fieldsIn(top, 'data');
  return [top, data, fieldsIn(top, 'object'), fieldsIn(top, 'payload'), fieldsIn(data, 'object')];
}

export const fieldsIn = (fields: Fields, name: string) => fieldsOf(ownValue(fields, name));

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns an own field, never the prototype's. */
export function ownValue(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Wraps the directory of an instance: warns if it's in memory, and drops the cached memberships that a change affects. */
export function siteDirectory(
  directory: MembershipDirectory,
  {
    clock,
    logger,
    cache,
    recordedIds,
  }: { clock: Clock; logger: Log; cache: MembershipCache; recordedIds: RecordedIds },
): MembershipDirectory {
  if (isTestDirectory(directory)) {
    logger.warn(
      'memory_directory',
      'The membership directory is a memoryDirectory, which is for tests only: a restart empties it, and then no gate opens. Use sqliteDirectory(file), postgresDirectory(pool) or redisDirectory(client).',
    );
  }
  /** A failed change may still have been stored, so the cache is dropped then too. */
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
