import { randomUUID } from 'node:crypto';
import type { WebhookEventStore } from './event-store.js';

/** What the store needs of a client of the package `redis` (node-redis 4 to 6), single, pooled or cluster. */
export interface NodeRedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** What the store needs of a client of the package `ioredis` (or `iovalkey`). */
export interface IoRedisScripts {
  /** Tells it from the other kind. */
  call(command: string, ...parameters: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

const DONE = 'done';

/** Gives what is there; nothing when it was free and is now the claimant's. */
const CLAIM = `local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`;
const COMPLETE = `return redis.call('SET', KEYS[1], '${DONE}', 'PX', ARGV[1])`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Remembers events in Redis (or Valkey): one key an event, which expires. Let Redis evict nothing (`noeviction`), or it
 * may forget an event early, and another delivery of it is handled again.
 *
 * @param options.prefix What the keys begin with. Default `latchkey:webhook:`; apps that share a Redis need different ones.
 */
export function redisEventStore(
  client: NodeRedisScripts | IoRedisScripts,
  { prefix = 'latchkey:webhook:' }: { prefix?: string | undefined } = {},
): WebhookEventStore {
  const run = (script: string, eventId: string, ...given: string[]): Promise<unknown> =>
    'call' in client
      ? client.eval(script, 1, prefix + eventId, ...given)
      : client.eval(script, { keys: [prefix + eventId], arguments: given });
  return {
    async claim(eventId, leaseMs) {
      const token = randomUUID();
      const held = await run(CLAIM, eventId, token, wholeMs(leaseMs));
      if (held === null) return { state: 'claimed', token };
      return { state: String(held) === DONE ? 'done' : 'running' };
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
