import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { WebhookEventStore } from './event-store.js';

/** Events that are remembered at most; the oldest are forgotten first. */
const CAPACITY = 10_000;

interface Entry {
  /** Undefined once the event is done. */
  token: string | undefined;
  expiresAt: number;
}

/** Remembers events in this process: for development. A restart forgets them, and other processes know nothing of them. */
export function memoryEventStore(clock: Clock): WebhookEventStore {
  const entries = new Map<string, Entry>();
  const put = (eventId: string, entry: Entry) => {
    entries.delete(eventId);
    entries.set(eventId, entry);
    if (entries.size <= CAPACITY) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  };
  return {
    async claim(eventId, leaseMs) {
      const entry = entries.get(eventId);
      if (entry !== undefined && clock.now() < entry.expiresAt) {
        return { state: entry.token === undefined ? 'done' : 'running' };
      }
      const token = randomUUID();
      put(eventId, { token, expiresAt: clock.now() + leaseMs });
      return { state: 'claimed', token };
    },
    async complete(eventId, keepMs) {
      put(eventId, { token: undefined, expiresAt: clock.now() + keepMs });
    },
    async release(eventId, token) {
      if (entries.get(eventId)?.token === token) entries.delete(eventId);
    },
  };
}
