import type { RouteContext, RunningServer } from '@latchkey/server';

/** The server that the tools of a sandbox work on. The tools exist before it. */
export class ServerConnection {
  #server: RunningServer | undefined;
  #context: RouteContext | undefined;

  /** Connects the server, once it runs. */
  connect(server: RunningServer): void {
    this.#server = server;
  }

  /** Connects the parts of the server, which exist before it accepts requests. */
  connectParts(context: RouteContext): void {
    this.#context = context;
  }

  /**
   * The running server.
   *
   * @throws Error before the start.
   */
  get server(): RunningServer {
    return started(this.#server);
  }

  /**
   * Parts of the server.
   *
   * @throws Error before the start.
   */
  get context(): RouteContext {
    return started(this.#context);
  }
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The sandbox has not started.');
  return part;
}
