import type { Request, Response } from 'express';
import type { EventHub, Needs, SandboxEvent } from '../../services/services.js';
import { ControlFailure } from '../access/control-failure.js';
import type { ControlRoute } from '../access/mount-routes.js';

/** Maximum number of open streams. */
const MAX_STREAMS = 32;
/** A reader that falls behind by more than this many bytes is disconnected. It can reconnect and continue. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Milliseconds between two comments that keep the connection open. */
const KEEP_ALIVE_MS = 15_000;

/** Streams the hub's events (server-sent events). */
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
        follow(this.#hub, { request, response, open: this.#open });
        this.#endIfClosed(response);
      },
    };
  }

  /** Sends a message without content at each event. The front page then re-reads its state. */
  sendChanges(response: Response): void {
    if (this.#open.size >= MAX_STREAMS) return void response.status(503).end();
    begin(response, this.#open);
    const send = () => {
      // A reader that falls behind needs only one message. The sandbox may be closing.
      if (!response.writableEnded && response.writableLength === 0) response.write('data: changed\n\n');
    };
    endWith(response, this.#open, this.#hub.subscribe(send));
    this.#endIfClosed(response);
  }

  /** Ends all open streams. */
  close(): void {
    this.#isClosed = true;
    for (const response of this.#open) response.end();
  }

  /** A stream that begins after `close` would keep the sandbox open until the grace period is over. */
  #endIfClosed(response: Response): void {
    if (this.#isClosed) response.end();
  }
}

function follow(
  hub: EventHub,
  { request, response, open }: { request: Request; response: Response; open: Set<Response> },
): void {
  if (open.size >= MAX_STREAMS) {
    throw new ControlFailure('conflict', `At most ${MAX_STREAMS} streams can be open. Close one first.`);
  }
  begin(response, open);
  const send = (event: SandboxEvent) => {
    // The sandbox is closing, but the reader may not have read the end yet.
    if (response.writableEnded) return;
    if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
    else response.write(textOf(event));
  };
  const lastId = request.get('Last-Event-ID');
  if (lastId !== undefined && /^\d{1,15}$/.test(lastId))
    for (const event of hub.since(Number(lastId))) send(event);
  endWith(response, open, hub.subscribe(send));
}

function begin(response: Response, open: Set<Response>): void {
  open.add(response);
  response.set('Content-Type', 'text/event-stream; charset=utf-8');
  response.flushHeaders();
  response.write(': connected\n\n');
}

/** Keeps the connection open, and cleans up when it closes. */
function endWith(response: Response, open: Set<Response>, unsubscribe: () => void): void {
  const keepAlive = setInterval(
    () => !response.writableEnded && response.write(': still here\n\n'),
    KEEP_ALIVE_MS,
  ).unref();
  response.once('close', () => {
    clearInterval(keepAlive);
    unsubscribe();
    open.delete(response);
  });
}

/** JSON has no raw line breaks, so the data fits on one line. */
function textOf({ id, type, data }: SandboxEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
