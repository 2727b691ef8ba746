import { randomBytes, randomUUID } from 'node:crypto';
import { requireMethod } from '../platform/errors.js';
import { type DirectoryOptions, membershipDirectory } from './create-directory.js';
import type {
  DirectoryEntry,
  DirectoryStatement,
  MembershipDirectory,
  SessionLock,
  WebhookEventStore,
} from './kit-store.js';

/** A client from the package `redis` (node-redis 4 to 6): single, pooled or cluster. */
export interface NodeRedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client from the package `ioredis` or `iovalkey`. */
export interface IoRedisScripts {
  /** Distinguishes this client from node-redis. */
  call(command: string, ...parameters: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

const CLIENT = { method: 'eval', advice: 'a client of redis, ioredis or iovalkey' };

function evalScript(
  client: NodeRedisScripts | IoRedisScripts,
  script: string,
  { key, values }: { key: string; values: string[] },
): Promise<unknown> {
  return 'call' in client
    ? client.eval(script, 1, key, ...values)
    : client.eval(script, { keys: [key], arguments: values });
}

export interface RedisDirectoryOptions extends DirectoryOptions {
  /**
   * Key of the hash. Apps that share a Redis need different ones.
   * @default 'latchkey:memberships'
   */
  key?: string | undefined;
}

/** Returns the values of the fields in ARGV. In a script, the number of arguments of HMGET is limited. */
const FIND = `local found = {}
for first = 1, #ARGV, 1000 do
  local values = redis.call('HMGET', KEYS[1], unpack(ARGV, first, math.min(first + 999, #ARGV)))
  for index, value in ipairs(values) do found[first + index - 1] = value end
end
return found`;

/** ARGV: field, source, plan and time of each statement. Returns field and value of each conflict. */
const RECORD = `local conflicts = {}
local stored = {}
for i = 1, #ARGV, 4 do
  local value = redis.call('HGET', KEYS[1], ARGV[i])
  if value then
    local source, plan, at = string.match(value, '^(%S+) (%S*) (%S*)$')
    stored[i] = at
    if source ~= ARGV[i + 1] then
      conflicts[#conflicts + 1] = ARGV[i]
      conflicts[#conflicts + 1] = value
    end
  end
end
if #conflicts > 0 then return conflicts end
for i = 1, #ARGV, 4 do
  local at = stored[i]
  local newer = ARGV[i + 3] ~= '' and (at == '' or at and tonumber(ARGV[i + 3]) > tonumber(at))
  if not at or newer then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ' ' .. ARGV[i + 2] .. ' ' .. ARGV[i + 3])
  end
end
return conflicts`;

const REMOVE = `for _, field in ipairs(ARGV) do redis.call('HDEL', KEYS[1], field) end return false`;

/**
 * Creates a directory in Redis or Valkey, in one hash. Set `maxmemory-policy` to `noeviction` and enable the
 * append-only file: if an entry is lost, its member is locked out.
 */
export function redisDirectory(
  client: NodeRedisScripts | IoRedisScripts,
  { key = 'latchkey:memberships', ...options }: RedisDirectoryOptions = {},
): MembershipDirectory {
  requireMethod('redisDirectory client', client, CLIENT);
  const run = (script: string, values: string[]) => evalScript(client, script, { key, values });
  return membershipDirectory(
    {
      async find(membershipIds) {
        const values = listOf(await run(FIND, [...membershipIds]));
        return membershipIds.flatMap((id, index) => {
          const value = values[index];
          return value === null || value === undefined ? [] : [entryOf(id, String(value))];
        });
      },
      async record(statements) {
        const conflicts = listOf(await run(RECORD, statements.flatMap(fieldsOf)));
        if (conflicts.length === 0) return { kind: 'recorded' };
        const stored = conflicts.flatMap((id, index) =>
          index % 2 === 0 ? [entryOf(String(id), String(conflicts[index + 1]))] : [],
        );
        return { kind: 'conflict', stored };
      },
      async remove(membershipIds) {
        await run(REMOVE, [...membershipIds]);
      },
      async close() {},
    },
    options,
  );
}

const COMMUNITY = 'community:';
const PRODUCT = 'product:';

/** Returns the field of a statement, and the parts of its value. Ids contain no white space. */
function fieldsOf({ membershipId, communityId, productId, plan }: DirectoryStatement): string[] {
  const source = communityId === null ? `${PRODUCT}${productId}` : `${COMMUNITY}${communityId}`;
  return [membershipId, source, plan?.id ?? '', plan === undefined ? '' : String(plan.observedAt)];
}

function entryOf(membershipId: string, value: string): DirectoryEntry {
  const [source = '', plan = ''] = value.split(' ');
  const idAfter = (prefix: string) => (source.startsWith(prefix) ? source.slice(prefix.length) : null);
  return {
    membershipId,
    communityId: idAfter(COMMUNITY),
    productId: idAfter(PRODUCT),
    pricingPlanId: plan === '' ? null : plan,
  };
}

const listOf = (reply: unknown): readonly unknown[] => (Array.isArray(reply) ? reply : []);

/** A client from the package `redis` (node-redis 4 to 6): single, pooled or cluster. */
export interface NodeRedisClient {
  set(key: string, value: string, options: { NX: true; PX: number }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client from the package `ioredis` or `iovalkey`. */
export interface IoRedisClient {
  /** Distinguishes this client from node-redis. */
  call(command: string, ...parameters: string[]): Promise<unknown>;
  set(key: string, value: string, expiry: 'PX', milliseconds: number, condition: 'NX'): Promise<unknown>;
  eval(script: string, keyCount: number, key: string, value: string): Promise<unknown>;
}

/** Deletes the key only if it still contains this holder's value. */
const RELEASE =
  'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0';

/**
 * Creates a lock in Redis: `SET key value NX PX ttl`, released by a script that compares and deletes.
 * @param options.prefix prefix of the keys.
 * @default options.prefix 'latchkey:lock:'
 */
export function redisLock(
  client: NodeRedisClient | IoRedisClient,
  { prefix = 'latchkey:lock:' }: { prefix?: string | undefined } = {},
): SessionLock {
  requireMethod('redisLock client', client, CLIENT);
  return {
    async acquire(key, ttlMs) {
      const name = `${prefix}${key}`;
      const holder = randomBytes(16).toString('base64url');
      if ('call' in client) {
        const reply = await client.set(name, holder, 'PX', ttlMs, 'NX');
        return reply === null ? undefined : async () => void (await client.eval(RELEASE, 1, name, holder));
      }
      const reply = await client.set(name, holder, { NX: true, PX: ttlMs });
      const release = () => client.eval(RELEASE, { keys: [name], arguments: [holder] });
      return reply === null ? undefined : async () => void (await release());
    },
  };
}

const DONE = 'done';

/** Returns the current value, or nothing if the key was free and is now claimed. */
const CLAIM = `local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`;
const COMPLETE = `return redis.call('SET', KEYS[1], '${DONE}', 'PX', ARGV[1])`;

/**
 * Creates an event store in Redis or Valkey, with one expiring key for each event. Set `maxmemory-policy` to
 * `noeviction`: an event that was evicted early would be handled again.
 * @param options.prefix prefix of the keys. Apps that share a Redis need different prefixes.
 * @default options.prefix 'latchkey:webhook:'
 */
export function redisEventStore(
  client: NodeRedisScripts | IoRedisScripts,
  { prefix = 'latchkey:webhook:' }: { prefix?: string | undefined } = {},
): WebhookEventStore {
  requireMethod('redisEventStore client', client, CLIENT);
  const run = (script: string, eventId: string, ...values: string[]): Promise<unknown> =>
    evalScript(client, script, { key: prefix + eventId, values });
  return {
    async claim(eventId, leaseMs) {
      const token = randomUUID();
      const held = await run(CLAIM, eventId, token, wholeMs(leaseMs));
      if (held === null) return { kind: 'claimed', token };
      return { kind: String(held) === DONE ? 'done' : 'running' };
    },
    async complete(eventId, keepMs) {
      await run(COMPLETE, eventId, wholeMs(keepMs));
    },
    async release(eventId, token) {
      await run(RELEASE, eventId, token);
    },
  };
}

const wholeMs = (milliseconds: number) => `${Math.max(1, Math.round(milliseconds))}`;
