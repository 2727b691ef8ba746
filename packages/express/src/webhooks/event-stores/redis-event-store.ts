import { randomUUID } from 'node:crypto';
import { evalScript, type IoRedisScripts, type NodeRedisScripts } from '../../platform/redis.js';
import type { WebhookEventStore } from './event-store.js';

const DONE = 'done';

/** Returns the current value, or nothing if the key was free and is now claimed. */
const CLAIM = `local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`;
const COMPLETE = `return redis.call('SET', KEYS[1], '${DONE}', 'PX', ARGV[1])`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Creates an event store in Redis or Valkey, with one expiring key for each event. Set `maxmemory-policy` to `noeviction`:
 * an event that is evicted early would be handled again.
 * @param options.prefix Prefix of the keys. Apps that share a Redis need different prefixes.
 * @default options.prefix 'latchkey:webhook:'
 */
export function redisEventStore(
  client: NodeRedisScripts | IoRedisScripts,
  { prefix = 'latchkey:webhook:' }: { prefix?: string | undefined } = {},
): WebhookEventStore {
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
