import { type RequestOptions, request } from 'node:http';
import type { ServiceNames } from '@latchkey/contract/constants';
import type { Clock, Logger, Operator, RouteContext, RunningServer } from '@latchkey/server';
import type { Database } from '@latchkey/server/extension';

/** A running clock that can be moved forward. */
export interface SandboxClock extends Clock {
  /** Moves the clock forward by a number of milliseconds. */
  advance(ms: number): void;
  /** Moves the clock forward to a time, in milliseconds since the epoch. Does nothing if that has passed. */
  moveTo(instant: number): void;
  /**
   * Sets how far the clock is ahead, in milliseconds. This can set time back, so only use it while the sandbox's data
   * is replaced.
   */
  setAhead(ms: number): void;
  /** Returns how far the clock is ahead of the clock that it runs with, in milliseconds. */
  ahead(): number;
}

function createSandboxClock(base: Clock): SandboxClock {
  let ahead = 0;
  return {
    now: () => base.now() + ahead,
    advance: (ms) => {
      ahead += ms;
    },
    moveTo: (instant) => {
      ahead = Math.max(ahead, instant - base.now());
    },
    setAhead: (ms) => {
      ahead = ms;
    },
    ahead: () => ahead,
  };
}

/** Something that happened in the sandbox. `data` is JSON; its content depends on the type. */
export interface SandboxEvent {
  readonly id: number;
  readonly type: 'clock' | 'data' | 'delivery' | 'faults' | 'mail' | 'payment' | 'request' | 'reset';
  readonly data: unknown;
}

/** How many events are kept for listeners that reconnect. */
const KEPT = 500;

export class EventHub {
  readonly #listeners = new Set<(event: SandboxEvent) => void>();
  #kept: SandboxEvent[] = [];
  #last = 0;

  publish(type: SandboxEvent['type'], data: unknown): void {
    this.#last += 1;
    const event = { id: this.#last, type, data };
    this.#kept = [...this.#kept.slice(1 - KEPT), event];
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Calls the listener for each later event. Returns a function that unsubscribes it. */
  subscribe(listener: (event: SandboxEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the kept events after an id, oldest first. */
  since(id: number): readonly SandboxEvent[] {
    return this.#kept.filter((event) => event.id > id);
  }
}

/** Returns an operator that publishes each write of a record, for pages that show it. */
function publishing(operator: Operator, hub: EventHub): Operator {
  return {
    ...operator,
    async create(kind, ...input) {
      const created = await operator.create(kind, ...input);
      hub.publish('data', { kind, id: created.id, change: 'created' });
      return created;
    },
    async change(kind, id, changes) {
      const secrets = await operator.change(kind, id, changes);
      hub.publish('data', { kind, id, change: 'edited' });
      return secrets;
    },
    async grantMembership(membership) {
      const granted = await operator.grantMembership(membership);
      hub.publish('data', { kind: 'memberships', id: granted.id, change: 'created' });
      return granted;
    },
    async end(kind, id) {
      await operator.end(kind, id);
      hub.publish('data', { kind, id, change: 'ended' });
    },
  };
}

/** A sandbox's services. The server's services throw before it runs. */
export class Services implements RouteContext {
  /** The clock that the service's clock runs ahead of. */
  readonly realClock: Clock;
  readonly clock: SandboxClock;
  readonly hub: EventHub = new EventHub();
  #context: RouteContext | undefined;
  #server: RunningServer | undefined;

  constructor(realClock: Clock) {
    this.realClock = realClock;
    this.clock = createSandboxClock(realClock);
  }

  /** Connects the context of the server's routes, which exists before the server accepts requests. */
  connectContext(context: RouteContext): void {
    this.#context = context;
  }

  connectServer(server: RunningServer): void {
    this.#server = { ...server, operator: publishing(server.operator, this.hub) };
  }

  get db(): Database {
    return started(this.#context).db;
  }

  get baseUrl(): string {
    return started(this.#context).baseUrl;
  }

  get serviceNames(): ServiceNames {
    return started(this.#context).serviceNames;
  }

  get logger(): Logger {
    return started(this.#context).logger;
  }

  /** Operator of the service. `create`, `change`, `end` and `grantMembership` publish what they write. */
  get operator(): Operator {
    return started(this.#server).operator;
  }

  /** Address where the sandbox reaches its own server: loopback, unless it listens on one address only. */
  get ownAddress(): { host: string; port: number } {
    const { address, port } = started(this.#server);
    return { host: { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address, port };
  }

  /** Renews, expires and deletes what is due. Sends no webhooks. */
  runDueWork(): Promise<void> {
    return started(this.#context).runDueWork();
  }

  /** Does all work that is due, and sends webhooks and emails. */
  deliverDue(): Promise<void> {
    return started(this.#server).runBackgroundWork();
  }
}

/** The services that a function needs. */
export type Needs<Name extends keyof Services> = Pick<Services, Name>;

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The sandbox has not started.');
  return part;
}

/** Sends a request over a connection of its own, and returns the status of the response. */
export function sendRequest(options: RequestOptions, body: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false }, (response) => {
      response.on('error', reject).resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('timeout', () => sent.destroy(new Error('The service did not answer in time.')));
    sent.on('error', reject).end(body);
  });
}
