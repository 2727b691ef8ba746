import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { sendRequest } from '../../services/services.js';
import { ControlFailure } from '../access/control-failure.js';
import type { RawRequest } from './capture-body.js';
import { BODY_BYTES_MAX, REPLAY_HEADER } from './redact-round-trip.js';
import type { RequestLog, RequestSummary } from './request-log.js';

interface TakenReplay {
  readonly of: string;
  /** Receives the new entry. */
  done(entry: RequestSummary | undefined): void;
}

/** Sends logged requests again. */
export class Replays {
  readonly #log: Pick<RequestLog, 'raw'>;
  readonly #target: () => { host: string; port: number };
  readonly #waiting = new Map<string, TakenReplay>();

  /** @param target address and port of the sandbox's own server. */
  constructor(log: Pick<RequestLog, 'raw'>, target: () => { host: string; port: number }) {
    this.#log = log;
    this.#target = target;
  }

  /**
   * Sends a request again as it arrived, with its credentials, and waits for its entry. For a code or token that works
   * only once, the service responds as it does to a second use.
   *
   * @throws ControlFailure `not_found` if there is no such entry; `conflict` if its body was too long to keep, or if the log
   * was emptied meanwhile.
   */
  async replay(id: string): Promise<RequestSummary> {
    const raw = this.#log.raw(id);
    if (raw.body.bytes > raw.body.kept.byteLength) {
      const limit = `${BODY_BYTES_MAX / 1024} KiB`;
      throw new ControlFailure('conflict', `The log keeps ${limit} of a body. This one was longer.`);
    }
    const name = randomUUID();
    const waiting = this.#waiting;
    try {
      const entry = await new Promise<RequestSummary | undefined>((resolve, reject) => {
        waiting.set(name, { of: id, done: resolve });
        // After the server has received the request, only its entry ends the wait, even if a fault resets the connection.
        this.#send(raw, name).catch((error: unknown) => waiting.has(name) && reject(error));
      });
      if (entry === undefined) throw new ControlFailure('conflict', 'The log was emptied during the replay.');
      return entry;
    } finally {
      waiting.delete(name);
    }
  }

  #send({ method, url, headers, body }: RawRequest, name: string): Promise<number> {
    const length = body.kept.byteLength > 0 ? ['Content-Length', String(body.kept.byteLength)] : [];
    const sent = [...headers, ...length, REPLAY_HEADER, name, 'Connection', 'close'];
    return sendRequest({ ...this.#target(), method, path: url, headers: sent }, body.kept);
  }

  /** Returns the replay that sent a request, once. `undefined` for other requests. */
  take(request: Request): TakenReplay | undefined {
    const name = request.get(REPLAY_HEADER) ?? '';
    const replay = this.#waiting.get(name);
    this.#waiting.delete(name);
    return replay;
  }
}
