import diagnostics from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/platform/http/listener.js';

/** Returns Node's server behind a listener: Node publishes it with each request. */
async function serverBehind(port: number): Promise<Server> {
  let found: Server | undefined;
  const remember = (message: unknown) => {
    const { server } = message as { server: Server };
    const address = server.address();
    if (typeof address === 'object' && address?.port === port) found = server;
  };
  diagnostics.subscribe('http.server.request.start', remember);
  await fetch(`http://127.0.0.1:${port}/`);
  diagnostics.unsubscribe('http.server.request.start', remember);
  if (found === undefined) throw new Error('Node published no server.');
  return found;
}

it('logs a connection that cannot be accepted, and continues to serve', async () => {
  const errors: object[] = [];
  const silent = () => undefined;
  const logger = { info: silent, warn: silent, error: (fields: object) => void errors.push(fields) };
  const listener = await listen(0, '127.0.0.1', logger);
  onTestFinished(async () => void (await listener.close(0)));
  listener.onRequest((_request, response) => response.end('served'));
  const server = await serverBehind(listener.port);
  server.emit('error', new Error('accept ENOBUFS'));
  expect(errors).toEqual([{ reason: 'accept ENOBUFS' }]);
  expect(await (await fetch(`http://127.0.0.1:${listener.port}/`)).text()).toBe('served');
});
