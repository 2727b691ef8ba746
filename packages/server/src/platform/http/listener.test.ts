import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from './listener.js';

/** Returns Node.js's server behind a listener: Node.js publishes it with each request. */
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
  const listener = await listen({ port: 0, hostname: '127.0.0.1' }, logger);
  onTestFinished(async () => void (await listener.close(0)));
  listener.onRequest((_request, response) => response.end('served'));
  const server = await serverBehind(listener.port);
  server.emit('error', new Error('accept ENOBUFS'));
  expect(errors).toEqual([{ reason: 'accept ENOBUFS' }]);
  expect(await (await fetch(`http://127.0.0.1:${listener.port}/`)).text()).toBe('served');
});

/** A thread that sends a request on a new connection. Sets `sent` when it's on its way (1) or was refused (2). */
const CALLER = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, sent } } = require('node:worker_threads');
  const note = (value) => { Atomics.store(sent, 0, value); Atomics.notify(sent, 0); };
  parentPort.once('message', () => {
    let response = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n', () => note(1));
    });
    socket.on('data', (data) => { response += data; });
    socket.on('error', (error) => { response = error.code; note(2); });
    socket.on('close', () => parentPort.postMessage(response.split('\\r\\n')[0]));
  });
`;

// One of these turns is the last before the server closes.
it.for([0, 1, 2, 3, 4, 5])(
  'answers a request that arrives in a long turn of the event loop, %i turns into the close',
  async (turns) => {
    const silent = () => undefined;
    const logger = { info: silent, warn: silent, error: silent };
    const listener = await listen({ port: 0, hostname: '127.0.0.1' }, logger);
    listener.onRequest((_request, response) => response.end('served'));
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const caller = new Worker(CALLER, { eval: true, workerData: { port: listener.port, sent } });
    onTestFinished(async () => void (await caller.terminate()));
    await once(caller, 'online');
    const response = once(caller, 'message');
    // The long turn ends only when a request is on its way that Node.js couldn't have seen in it.
    const countDown = (left: number) => {
      if (left > 0) return void setImmediate(countDown, left - 1);
      caller.postMessage('request');
      Atomics.wait(sent, 0, 0, 20_000);
      Atomics.wait(sent, 0, Atomics.load(sent, 0), 2);
    };
    setImmediate(countDown, turns);
    await listener.close(20_000);
    // A request after the close is refused, so its caller knows that it wasn't read.
    expect(['HTTP/1.1 200 OK', 'ECONNREFUSED']).toEqual(expect.arrayContaining(await response));
  },
);

it('is serving from the arrival of a request to the end of its response', async () => {
  const { listener, held } = await listenAndHold();
  expect(listener.isServing).toBe(false);
  const answered = fetch(`http://127.0.0.1:${listener.port}/`);
  await expect.poll(() => held.length).toBe(1);
  expect(listener.isServing).toBe(true);
  held[0]?.end();
  await (await answered).text();
  await expect.poll(() => listener.isServing).toBe(false);
});

it('serves nothing once the only connection is lost, whatever was sent on it', async () => {
  const { listener, held } = await listenAndHold();
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
  await expect.poll(() => held.length).toBe(3);
  expect(listener.isServing).toBe(true);
  socket.destroy();
  await expect.poll(() => listener.isServing).toBe(false);
  // A lost response that was counted twice would hide this request.
  const answered = fetch(`http://127.0.0.1:${listener.port}/`);
  await expect.poll(() => held.length).toBe(4);
  expect(listener.isServing).toBe(true);
  held[3]?.end();
  await (await answered).text();
});

/** Starts a listener that holds its responses back. */
async function listenAndHold() {
  const silent = () => undefined;
  const logger = { info: silent, warn: silent, error: silent };
  const listener = await listen({ port: 0, hostname: '127.0.0.1' }, logger);
  onTestFinished(async () => void (await listener.close(0)));
  const held: ServerResponse[] = [];
  listener.onRequest((_request, response) => void held.push(response));
  return { listener, held };
}
