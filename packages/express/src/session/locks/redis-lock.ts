import { randomBytes } from 'node:crypto';
import type { SessionLock } from '../model/session-lock.js';

/** Client of the package `redis` (node-redis 4 to 6): single, pooled or cluster. */
export interface NodeRedisClient {
  set(key: string, value: string, options: { NX: true; PX: number }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** Client of the package `ioredis` or `iovalkey`. */
export interface IoRedisClient {
  /** Distinguishes this client from node-redis. */
  call(command: string, ...parameters: string[]): Promise<unknown>;
  set(key: string, value: string, expiry: 'PX', milliseconds: number, condition: 'NX'): Promise<unknown>;
  eval(script: string, keyCount: number, key: string, value: string): Promise<unknown>;
}

/** Deletes the key only if it still contains the value of this holder. */
const RELEASE =
  'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0';

/**
 * Creates a lock in Redis: `SET key value NX PX ttl`, released by a script that compares and deletes.
 * @param options.prefix Prefix of the keys.
 * @default options.prefix 'latchkey:lock:'
 */
export function redisLock(
  client: NodeRedisClient | IoRedisClient,
  { prefix = 'latchkey:lock:' }: { prefix?: string | undefined } = {},
): SessionLock {
  const { acquire, release } = 'call' in client ? ioRedisCommands(client) : nodeRedisCommands(client);
  return {
    async acquire(key, ttlMs) {
      const name = `${prefix}${key}`;
      const holder = randomBytes(16).toString('base64url');
      const reply = await acquire(name, holder, ttlMs);
      return reply === null ? undefined : async () => void (await release(name, holder));
    },
  };
}

interface Commands {
  acquire(name: string, holder: string, ttlMs: number): Promise<unknown>;
  release(name: string, holder: string): Promise<unknown>;
}

function nodeRedisCommands(client: NodeRedisClient): Commands {
  return {
    acquire: (name, holder, ttlMs) => client.set(name, holder, { NX: true, PX: ttlMs }),
    release: (name, holder) => client.eval(RELEASE, { keys: [name], arguments: [holder] }),
  };
}

function ioRedisCommands(client: IoRedisClient): Commands {
  return {
    acquire: (name, holder, ttlMs) => client.set(name, holder, 'PX', ttlMs, 'NX'),
    release: (name, holder) => client.eval(RELEASE, 1, name, holder),
  };
}
