import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** TCP proxy that can lose its connections. Its own port stays the same when the target moves. */
export interface TcpProxy {
  readonly port: number;
  /** Sets the port that new connections reach. `undefined` refuses them. */
  setTarget(port: number | undefined): void;
  /** Ends all connections at once, in the middle of what they transport. */
  cut(): void;
  /** Holds back all data for a time, in milliseconds. */
  stall(ms: number): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port. */
export async function startTcpProxy(target?: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let upstream = target;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server: Server = createServer((client) => {
    track(client);
    if (upstream === undefined) return void client.destroy();
    const service = track(connect(upstream, '127.0.0.1'));
    client.pipe(service).pipe(client);
    client.once('close', () => service.destroy());
    service.once('close', () => client.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    setTarget(port) {
      upstream = port;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    stall(ms) {
      const held = [...sockets];
      for (const socket of held) socket.pause();
      setTimeout(() => {
        for (const socket of held) socket.resume();
      }, ms);
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
