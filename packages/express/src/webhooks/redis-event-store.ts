import { randomUUID } from 'node:crypto';
import type { WebhookEventStore } from './event-store.js';

/** What the store needs of a Redis client: `redis` (node-redis) has the one, `ioredis` the other. */
export type RedisCommands =
  | { sendCommand(command: string[]): Promise<unknown> }
  | { call(command: string, ...args: string[]): Promise<unknown> };

/** Options of {@link redisEventStore}. */
export interface RedisEventStoreOptions {
  /** What the keys begin with. Default `latchkey:webhook:`. Apps that share a Redis need different ones. */
  prefix?: string;
}

const DONE = 'done';

const DELETE_IF_HELD =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/**
 * Remembers events in Redis (or Valkey): one key an event, which expires. Set Redis to `noeviction`, or it may forget an
 * event early and its next delivery is handled again.
 */
export function redisEventStore(
  client: RedisCommands,
  { prefix = 'latchkey:webhook:' }: RedisEventStoreOptions = {},
): WebhookEventStore {
  const send = async (...command: [string, ...string[]]) =>
    'sendCommand' in client ? client.sendCommand(command) : client.call(...command);
  const text = (reply: unknown) => (reply === null || reply === undefined ? undefined : String(reply));
  return {
    async claim(eventId, leaseMs) {
      const token = randomUUID();
      const set = await send('SET', prefix + eventId, token, 'NX', 'PX', wholeMs(leaseMs));
      if (text(set) === 'OK') return { state: 'claimed', token };
      // SET has decided; this only tells why not. A key that is gone by now was held a moment ago.
      return { state: text(await send('GET', prefix + eventId)) === DONE ? 'done' : 'running' };
    },
    async complete(eventId, keepMs) {
      await send('SET', prefix + eventId, DONE, 'PX', wholeMs(keepMs));
    },
    async release(eventId, token) {
      await send('EVAL', DELETE_IF_HELD, '1', prefix + eventId, token);
    },
  };
}

const wholeMs = (milliseconds: number) => `${Math.max(1, Math.round(milliseconds))}`;
