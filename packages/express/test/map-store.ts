import type { StoredSession } from '../src/index.js';

/** A store with the required methods only. */
export class MapStore {
  readonly records = new Map<string, StoredSession>();

  get(id: string, done: (error: unknown, session?: unknown) => void): void {
    const record = this.records.get(id);
    // Stores serialize records as JSON.
    setImmediate(() => done(null, record && JSON.parse(JSON.stringify(record))));
  }

  set(id: string, session: StoredSession, done?: (error?: unknown) => void): void {
    this.records.set(id, session);
    setImmediate(() => done?.());
  }

  destroy(id: string, done?: (error?: unknown) => void): void {
    this.records.delete(id);
    setImmediate(() => done?.());
  }
}
