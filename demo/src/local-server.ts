import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** Thrown if the port is in use. The message names the variable that selects another port. */
export class PortInUseError extends Error {
  readonly port: number;
  constructor(port: number, what: string, variable: string) {
    super(
      `Port ${port} is in use, so ${what} cannot start there. Stop what listens on it, or choose another port: ` +
        `${variable}=${port + 100} npm start`,
    );
    this.name = 'PortInUseError';
    this.port = port;
  }
}

/** True if the error means that the port is in use. */
export function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** A server that already listens, so that its address is known before its app is created. */
export interface LocalServer {
  readonly port: number;
  serve(app: Express): void;
  close(): Promise<void>;
}

/**
 * Listens on the loopback interface only.
 * @param port 0 selects a free port
 * @throws {PortInUseError} if the port is in use
 */
export async function openLocalServer(port: number, what: string, variable: string): Promise<LocalServer> {
  const server = createServer();
  await listening(server, port).catch((error: unknown) => {
    throw isAddressInUse(error) ? new PortInUseError(port, what, variable) : error;
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (app) => {
      server.on('request', app);
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
