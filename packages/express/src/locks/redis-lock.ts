import { randomBytes } from 'node:crypto';
import type { SessionLock } from '../session/session-lock.js';

/** A client of the package `redis` (node-redis 4 to 6), single, pooled or cluster. */
export interface NodeRedisClient {
  set(key: string, value: string, options: { NX: true; PX: number }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client of the package `ioredis` (or `iovalkey`). */
export interface IoRedisClient {
  /** Tells it from the other kind. */
  call(command: string, ...parameters: string[]): Promise<unknown>;
  set(key: string, value: string, expiry: 'PX', milliseconds: number, condition: 'NX'): Promise<unknown>;
  eval(script: string, keyCount: number, key: string, value: string): Promise<unknown>;
}

/** Deletes the key only while it still holds this holder's value. */
const RELEASE =
  'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0';

/**
 * A lock in Redis: `SET key value NX PX ttl`, released by comparing and deleting in one script.
 * @param options.prefix What the keys begin with. Default `latchkey:lock:`.
 */
export function redisLock(
  client: NodeRedisClient | IoRedisClient,
  { prefix = 'latchkey:lock:' }: { prefix?: string | undefined } = {},
): SessionLock {
  const { take, giveBack } = 'call' in client ? ofIoRedis(client) : ofNodeRedis(client);
  return {
    async acquire(key, ttlMs) {
      const name = `${prefix}${key}`;
      const holder = randomBytes(16).toString('base64url');
      const answer = await take(name, holder, ttlMs);
      return answer === null ? undefined : async () => void (await giveBack(name, holder));
    },
  };
}

interface Commands {
  take(name: string, holder: string, ttlMs: number): Promise<unknown>;
  giveBack(name: string, holder: string): Promise<unknown>;
}

function ofNodeRedis(client: NodeRedisClient): Commands {
  return {
    take: (name, holder, ttlMs) => client.set(name, holder, { NX: true, PX: ttlMs }),
    giveBack: (name, holder) => client.eval(RELEASE, { keys: [name], arguments: [holder] }),
  };
}

function ofIoRedis(client: IoRedisClient): Commands {
  return {
    take: (name, holder, ttlMs) => client.set(name, holder, 'PX', ttlMs, 'NX'),
    giveBack: (name, holder) => client.eval(RELEASE, 1, name, holder),
  };
}
