import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** An SMTP server that confirms messages only after its release, so that requests that send mail stay in progress. */
export interface SlowMailServer {
  readonly url: string;
  /** Resolves when a complete message has arrived. */
  readonly arrived: Promise<void>;
  release(): void;
  close(): void;
}

export async function startSlowMailServer(): Promise<SlowMailServer> {
  const sockets = new Set<Socket>();
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    let inMessage = false;
    let pending = '';
    socket.on('error', () => undefined);
    socket.write('220 slow.example\r\n');
    socket.setEncoding('utf8').on('data', (text: string) => {
      pending += text;
      if (inMessage) {
        if (!pending.endsWith('\r\n.\r\n')) return;
        inMessage = false;
        pending = '';
        arrive();
        void released.then(() => socket.write('250 accepted\r\n'));
        return;
      }
      const lines = pending.split('\r\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        inMessage = line.toUpperCase() === 'DATA';
        socket.write(inMessage ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    release,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
