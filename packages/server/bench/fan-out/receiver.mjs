// Integrators' endpoints in one process, each on a port of its own, so that no connection serves two of them. Raw sockets take
// little processor time from the measured server.
import { createServer } from 'node:net';

/** Milliseconds until a slow endpoint answers. */
const SLOW_MS = 2_000;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Arrivals by kind of endpoint. */
let arrivals = new Map();

process.on('message', async ({ order, kinds }) => {
  if (order === 'listen') process.send({ urls: await Promise.all(kinds.map(listen)) });
  if (order === 'reset') arrivals = new Map();
  if (order === 'reset' || order === 'count') process.send({ count: countArrivals() });
  if (order === 'report') process.send({ report: Object.fromEntries([...arrivals].map(summary)) });
});
process.on('disconnect', () => process.exit());

/** Starts an endpoint and returns its URL. Nothing listens at the URL of a refusing one. */
function listen(kind, endpoint) {
  if (kind === 'refusing') return 'http://127.0.0.1:1/hooks';
  const server = createServer({ noDelay: true }, (socket) => receive(socket, { kind, endpoint }));
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}/hooks`)),
  );
}

function receive(socket, { kind, endpoint }) {
  let received = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    received = received.byteLength === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = received.latin1Slice(0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.byteLength < headEnd + HEAD_END.byteLength + length) return;
    note({ kind, endpoint, head, body: received.latin1Slice(headEnd) });
    received = Buffer.alloc(0);
    answer(socket, kind);
  });
}

function answer(socket, kind) {
  if (kind === 'hanging') return;
  if (kind === 'failing') socket.write('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n');
  else if (kind === 'slow') setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), SLOW_MS);
  else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
}

function note({ kind, endpoint, head, body }) {
  const at = performance.timeOrigin + performance.now();
  const event = /\r\nx-svc-event-id: (\S+)/i.exec(head)?.[1];
  const createdAt = Date.parse(/"createdAt":"([^"]+)"/.exec(body)?.[1] ?? '');
  const of = arrivals.get(kind) ?? {
    first: new Set(),
    doubled: 0,
    outOfOrder: 0,
    newest: new Map(),
    delays: [],
  };
  arrivals.set(kind, of);
  const key = `${endpoint} ${event}`;
  if (of.first.has(key)) {
    of.doubled += 1;
    return;
  }
  of.first.add(key);
  of.delays.push(at - createdAt);
  if ((of.newest.get(endpoint) ?? 0) > createdAt) of.outOfOrder += 1;
  else of.newest.set(endpoint, createdAt);
}

function countArrivals() {
  return Object.fromEntries([...arrivals].map(([kind, { first }]) => [kind, first.size]));
}

function summary([kind, { first, doubled, outOfOrder, delays }]) {
  delays.sort((one, other) => one - other);
  const at = (share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
  return [
    kind,
    {
      count: first.size,
      doubled,
      outOfOrder,
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      max: delays.at(-1),
    },
  ];
}
