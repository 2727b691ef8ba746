import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import type { WebhookEventStore } from './event-store.js';

/** Maximum number of events. The oldest are dropped first. */
const MAX_EVENTS = 10_000;

interface Entry {
  /** Undefined once the event is done. */
  token: string | undefined;
  expiresAt: number;
}

/** Keeps events in this process. For development: the events are lost at a restart and not shared between processes. */
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
