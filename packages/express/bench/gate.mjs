// Measures a gate: requests/s of a signed-in visitor through requireMembership with cached memberships, relative to the same Express
// route without a gate. Each server runs in its own process and sends JSON. The bare route gets no cookie. Sessions are in a sealed
// cookie or in a Redis that the benchmark starts, and the directory is a SQLite file.
//
//   npm run build && node packages/express/bench/gate.mjs [--rounds 30] [--json figures.json] [--profile folder]
//
// `plain` has no gate, but what every gate needs: the request has a cookie, two handlers run, and the response has two more headers. `get`
// also reads a session from Redis. --profile writes a CPU profile of each process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spread, spreadText, writeFigures } from '../../../scripts/bench/measured.mjs';

const ROUND_MS = 250;
const CONNECTIONS = 16;
const COMMUNITY = '5eed0000-0000-4000-8000-0000000000c0';

const sendJson = (_request, response) => response.json({ text: 'The table is set' });
const proceed = (_request, _response, next) => next();
const setHeaders = (_request, response, next) => {
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Vary', 'Cookie');
  next();
};

/** Servers by name. Each adds one thing to the server named in `after`; `budget` is the minimum ratio to the bare route's requests/s. */
const SERVERS = {
  bare: { start: (app) => app.get('/members', sendJson) },
  plain: {
    after: 'bare',
    cookie: 'sealed',
    start: (app) => app.use(proceed).get('/members', setHeaders, sendJson),
  },
  cookie: { after: 'plain', budget: 0.8, cookie: 'sealed', start: startGate },
  get: {
    after: 'plain',
    cookie: 'redis',
    async start(app, { redisUrl }) {
      const { store } = await redisSessions(redisUrl);
      const value = { cookie: { expires: new Date(Date.now() + 60_000_000) }, latchkey: 'x'.repeat(460) };
      await new Promise((resolve) => store.set('one', value, resolve));
      app.use((_request, _response, next) => store.get('one', next)).get('/members', setHeaders, sendJson);
    },
  },
  redis: {
    after: 'get',
    budget: 0.65,
    cookie: 'redis',
    start: async (app, options) => startGate(app, options, await redisSessions(options.redisUrl)),
  },
};

if (process.argv[2] === 'serve') await serve(process.argv[3], JSON.parse(process.argv[4]));
else await measure();

/** Runs one server. It has its own process, so that it does not share a thread with the load or the code of another server. */
async function serve(name, options) {
  const { default: express } = await import('express');
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await SERVERS[name].start(app, { ...options, port });
  process.on('message', (message) => {
    // Node.js writes a profile when the process ends by itself.
    if (message === 'end') process.exit();
    process.send(process.cpuUsage());
  });
  process.send(port);
}

async function startGate(app, { port, folder }, session) {
  const { latchkey, sqliteDirectory } = await import('@latchkey/express');
  const { createFakeService, fakeFetch, fakeUser } = await import('@latchkey/conformance/scripted-service');
  const visitor = fakeUser('ada@example.com', [{ validFrom: '2026-01-01T00:00:00.000Z' }]);
  const service = createFakeService({ credentials: 'unchecked', visitor });
  const directory = sqliteDirectory(join(folder, `${port}.sqlite`));
  await directory.record(visitor.memberships.map(({ id }) => ({ membershipId: id, communityId: COMMUNITY })));
  const auth = latchkey({
    serviceUrl: 'https://service.example',
    clientId: `oac_${'a'.repeat(24)}`,
    appUrl: `http://127.0.0.1:${port}`,
    cookieSecret: 'a secret for benchmarks, of more than 32 characters',
    fetch: fakeFetch(service),
    session,
    directory,
  });
  app.use(auth.router);
  app.get('/members', auth.requireMembership({ communityId: COMMUNITY }), sendJson);
}

async function redisSessions(url) {
  const { redisLock } = await import('@latchkey/express');
  const { createClient } = await import('redis');
  const { RedisStore } = await import('connect-redis');
  const client = await createClient({ url }).connect();
  return { store: new RedisStore({ client }), lock: redisLock(client) };
}

async function measure() {
  const { values: options } = parseArgs({
    options: {
      rounds: { type: 'string', default: '30' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { startRedis } = await import('../test/stores/redis-server.ts');
  const redis = await startRedis();
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-gate-'));
  const names = Object.keys(SERVERS);
  const children = {};
  try {
    const ports = {};
    for (const name of names) {
      children[name] = fork(
        fileURLToPath(import.meta.url),
        ['serve', name, JSON.stringify({ redisUrl: redis.url, folder })],
        {
          execArgv:
            options.profile === undefined
              ? []
              : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`, `--cpu-prof-name=${name}.cpuprofile`],
        },
      );
      [ports[name]] = await once(children[name], 'message');
    }
    const cookies = { sealed: await signIn(ports.cookie), redis: await signIn(ports.redis) };
    const request = (name) => load(ports[name], cookies[SERVERS[name].cookie]);
    for (const name of names) await request(name);
    const rates = Object.fromEntries(names.map((name) => [name, []]));
    // The processor time of the server is meaningful even if the load generator is the bottleneck.
    const times = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < Number(options.rounds); round += 1) {
      for (const name of names) {
        const before = await cpuTimeOf(children[name]);
        const { responses, rate } = await request(name);
        rates[name].push(rate);
        times[name].push(((await cpuTimeOf(children[name])) - before) / responses);
      }
    }
    const figures = {};
    for (const name of names) {
      const { after, budget } = SERVERS[name];
      const ratio = spread(rates[name].map((rate, round) => rate / rates.bare[round]));
      const time = spread(times[name]).median;
      const added = time - (after === undefined ? 0 : spread(times[after]).median);
      figures[`${name}Ratio`] = ratio;
      figures[`${name}CpuRatio`] = spread(times[name].map((each, round) => times.bare[round] / each));
      figures[`${name}Microseconds`] = spread([added]);
      console.log(
        `${name}: ${spreadText(ratio)} of the bare route's requests/s${budget === undefined ? '' : `, budget ${budget}`}; ` +
          `processor time of a request: ${time.toFixed(1)} µs, ${added.toFixed(1)} more than ${after ?? 'nothing'}`,
      );
      if (ratio.median < budget) process.exitCode = 1;
    }
    console.log(`cookies of ${cookies.sealed.length} and ${cookies.redis.length} bytes`);
    writeFigures(options.json, figures);
  } finally {
    for (const child of Object.values(children)) {
      const ended = once(child, 'exit');
      child.send('end');
      await ended;
    }
    await redis.stop();
    rmSync(folder, { recursive: true });
  }
}

async function cpuTimeOf(child) {
  const reply = once(child, 'message');
  child.send('cpu');
  const [{ user, system }] = await reply;
  return user + system;
}

async function signIn(port) {
  const origin = `http://127.0.0.1:${port}`;
  const response = await fetch(`${origin}/auth/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({
      code: 'code',
      codeVerifier: 'v'.repeat(43),
      redirectUri: `https://service.example/widget/callback/oac_${'a'.repeat(24)}`,
    }),
  });
  if (response.status !== 200)
    throw new Error(`Sign-in returned ${response.status}: ${await response.text()}`);
  const signedOut = await fetch(`${origin}/members`);
  if (signedOut.status !== 401)
    throw new Error(`The gate returned ${signedOut.status} to a signed-out visitor.`);
  return response.headers.getSetCookie()[0].split(';')[0];
}

/** Requests the route over keep-alive connections, each of which sends its next request after a response. */
async function load(port, cookie) {
  const cookieLine = cookie === undefined ? '' : `Cookie: ${cookie}\r\n`;
  const request = `GET /members HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: keep-alive\r\n${cookieLine}\r\n`;
  const startedAt = performance.now();
  const endsAt = startedAt + ROUND_MS;
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(port, request, endsAt)));
  const responses = counts.reduce((sum, count) => sum + count, 0);
  return { responses, rate: (responses * 1000) / (performance.now() - startedAt) };
}

function drive(port, request, endsAt) {
  return new Promise((resolve, reject) => {
    let responses = 0;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      // Responses are small and requested one at a time, so each arrives in one chunk.
      if (!chunk.includes('The table is set')) return reject(new Error(`Unexpected response:\n${chunk}`));
      responses += 1;
      if (performance.now() < endsAt) return void socket.write(request);
      socket.end();
      resolve(responses);
    });
  });
}
