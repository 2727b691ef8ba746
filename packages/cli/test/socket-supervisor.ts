import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { join } from 'node:path';
import { BIN } from './running-latchkey.js';

/** A `latchkey` process that was started with the socket of its supervisor. */
export interface SupervisedLatchkey {
  readonly pid: number;
  /** Resolves with the exit code when the process ends. */
  readonly ended: Promise<number | null>;
}

/** A listening socket that outlives the processes that accept its connections, as that of a socket unit of systemd. */
export class SocketSupervisor {
  readonly port: number;
  readonly #holder: ChildProcess;
  #output = '';

  private constructor(port: number, holder: ChildProcess) {
    this.port = port;
    this.#holder = holder;
    for (const stream of [holder.stdout, holder.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Listens at an address: a free port of 127.0.0.1 unless told otherwise. Ends with the test. */
  static async listen(
    onTestFinished: (end: () => Promise<void>) => void,
    address: ListenOptions = { host: '127.0.0.1', port: 0 },
  ): Promise<SocketSupervisor> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(address, listening));
    const { port } = server.address() as AddressInfo;
    const holder = spawn(process.execPath, [join(import.meta.dirname, 'socket-holder.mjs')], {
      stdio: ['ignore', 'pipe', 'pipe', descriptorOf(server), 'ipc'],
    });
    const ended = once(holder, 'exit');
    onTestFinished(async () => {
      if (holder.connected) holder.disconnect();
      await ended;
    });
    await once(holder, 'spawn');
    // Only this process's copy: from now on connections wait until a process accepts them.
    server.close();
    return new SocketSupervisor(port, holder);
  }

  /** Returns the output of the processes so far. */
  output(): string {
    return this.#output;
  }

  /** Starts the built `latchkey` with the socket. */
  async start(args: readonly string[], env: Record<string, string> = {}): Promise<SupervisedLatchkey> {
    this.#holder.send({ command: [process.execPath, BIN, ...args], env });
    const { pid } = await this.#message<{ pid: number }>();
    return { pid, ended: this.#message<{ code: number | null }>().then(({ code }) => code) };
  }

  async #message<Message>(): Promise<Message> {
    const [message] = await once(this.#holder, 'message');
    return message as Message;
  }
}

/** Descriptor of a server's socket. Node has no public property for it. */
function descriptorOf(server: Server): number {
  const { _handle: handle } = server as unknown as { _handle: { fd: number } };
  return handle.fd;
}
