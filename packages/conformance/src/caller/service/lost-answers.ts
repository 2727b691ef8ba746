import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Finds answers that clients did not read. */
export class LostAnswers {
  readonly #listeners = new WeakMap<Socket, (isReset: boolean) => void>();

  /**
   * Calls `lost` if the client closes the connection without having read the answer: before the service wrote all of it, or
   * with a reset. Systems send a reset if a program closes a connection with unread data, and none otherwise.
   */
  follow(response: ServerResponse, lost: () => void): void {
    const { socket } = response;
    if (socket === null || socket.destroyed) {
      lost();
      return;
    }
    const closed = (isReset: boolean) => {
      if (isReset || !response.writableFinished) lost();
    };
    this.#listeners.set(socket, closed);
    socket.once('close', closed);
  }

  /** Stops following the connection's earlier answer: a client that sends another request has read it. */
  requestArrived(socket: Socket): void {
    const closed = this.#listeners.get(socket);
    if (closed !== undefined) socket.off('close', closed);
  }
}
