import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** An SMTP server that takes every message, and says so only when it is released: what waits for it takes as long as a test wants. */
export interface SlowMailServer {
  readonly url: string;
  /** Resolves when a message has arrived whole. */
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
        void released.then(() => socket.write('250 taken\r\n'));
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
