import type { RouteContext, RunningServer } from '@latchkey/server';

/** The server that the tools of a sandbox work on. The tools exist before it. */
export class ServerConnection {
  #server: RunningServer | undefined;
  #context: RouteContext | undefined;

  /** Connects the server, once it runs. */
  connectServer(server: RunningServer): void {
    this.#server = server;
  }

  /** Connects the context of its routes, which exists before it accepts requests. */
  connectContext(context: RouteContext): void {
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
   * Context of its routes.
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
