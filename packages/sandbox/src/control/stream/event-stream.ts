import type { Response } from 'express';
import type { EventHub, Needs, SandboxEvent } from '../../services/services.js';
import { ControlFailure } from '../access/control-failure.js';
import type { ControlRoute } from '../access/mount-routes.js';

const MAX_STREAMS = 32;
/** A reader that falls behind by more than this many bytes is disconnected. It can reconnect and continue. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

export class EventStream {
  readonly #hub: EventHub;
  readonly #open = new Set<Response>();
  #isClosed = false;

  constructor({ hub }: Needs<'hub'>) {
    this.#hub = hub;
  }

  /** The endpoint that sends events as they happen. `Last-Event-ID` continues after an event. */
  get route(): ControlRoute {
    return {
      method: 'GET',
      path: '/stream',
      summary:
        'Sends requests, deliveries, mail, changes of data, clock changes and resets as server-sent events.',
      respond: (request, response) => {
        if (this.#open.size >= MAX_STREAMS) {
          throw new ControlFailure(
            'conflict',
            `At most ${MAX_STREAMS} streams can be open. Close one first.`,
          );
        }
        const lastId = request.get('Last-Event-ID') ?? '';
        const missed = /^\d{1,15}$/.test(lastId) ? this.#hub.since(Number(lastId)) : [];
        this.#follow(response, missed, (event) => {
          if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
          else response.write(textOf(event));
        });
      },
    };
  }

  /** Sends a message without content at each event. The front page then re-reads its state. */
  sendChanges(response: Response): void {
    if (this.#open.size >= MAX_STREAMS) return void response.status(503).end();
    this.#follow(response, [], () => {
      // A reader that falls behind needs only one message.
      if (response.writableLength === 0) response.write('data: changed\n\n');
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const response of this.#open) response.end();
  }

  /** Begins a stream, sends the missed events and each later one, keeps the connection open, and cleans up when it closes. */
  #follow(response: Response, missed: readonly SandboxEvent[], send: (event: SandboxEvent) => void): void {
    this.#open.add(response);
    response.set('Content-Type', 'text/event-stream; charset=utf-8');
    response.flushHeaders();
    response.write(': connected\n\n');
    // The sandbox may be closing, and the reader may not have read the end yet.
    const unlessEnded = (event: SandboxEvent) => void (response.writableEnded || send(event));
    for (const event of missed) unlessEnded(event);
    const unsubscribe = this.#hub.subscribe(unlessEnded);
    const keepAlive = setInterval(
      () => !response.writableEnded && response.write(': still here\n\n'),
      KEEP_ALIVE_MS,
    ).unref();
    response.once('close', () => {
      clearInterval(keepAlive);
      unsubscribe();
      this.#open.delete(response);
    });
    // A stream that begins after `close` would keep the sandbox open until the grace period is over.
    if (this.#isClosed) response.end();
  }
}

/** JSON has no raw line breaks, so the data fits on one line. */
function textOf({ id, type, data }: SandboxEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
