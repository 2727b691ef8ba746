/** Something that happened in the sandbox. `data` is JSON; its content depends on the type. */
export interface SandboxEvent {
  readonly id: number;
  readonly type: 'clock' | 'data' | 'delivery' | 'faults' | 'mail' | 'request' | 'reset';
  readonly data: unknown;
}

/** Distributes events to listeners in this process. */
export interface EventHub {
  publish(type: SandboxEvent['type'], data: unknown): void;
  /** Calls the listener for each later event. Returns a function that ends this. */
  subscribe(listener: (event: SandboxEvent) => void): () => void;
  /** Returns the kept events after an id, oldest first. */
  since(id: number): readonly SandboxEvent[];
}

/** Number of events kept for listeners that connect again. */
const KEPT = 500;

/** Creates a hub without events. */
export function createEventHub(): EventHub {
  const listeners = new Set<(event: SandboxEvent) => void>();
  let kept: SandboxEvent[] = [];
  let last = 0;
  return {
    publish(type, data) {
      last += 1;
      const event = { id: last, type, data };
      kept = [...kept.slice(1 - KEPT), event];
      for (const listener of [...listeners]) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    since: (id) => kept.filter((event) => event.id > id),
  };
}
