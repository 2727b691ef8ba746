// Measures a gate: requests/s of a signed-in visitor through requireMembership with cached memberships, against the same
// Express route without a gate, in one run. Sessions are in a sealed cookie and in a Redis that the benchmark starts.
//
//   npm run build && node packages/express/bench/gate.mjs [--rounds 7] [--json figures.json] [--apart] [--profile folder]
//
// --apart measures as somebody who knows nothing of the kit does: each server in a process of its own, no cookie for the bare route, a
// JSON response, the directory in a file, 16 connections. --profile writes a CPU profile of each of these processes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spread, writeFigures } from '../../../scripts/bench/measured.mjs';

/** Minimum ratio to the requests/s of the bare route. */
const BUDGETS = { 'sealed cookie': 0.8, Redis: 0.65 };
/** Names of the figures. */
const FIGURES = { 'sealed cookie': 'cookie', Redis: 'redis' };
const ROUND_MS = 1500;
const CONNECTIONS = 32;
const CONNECTIONS_APART = 16;

if (process.argv[2] === 'serve') await serve(process.argv[3], process.argv[4]);
else await measure();

/**
 * Runs the server in its own process, so that it does not share a thread with the load.
 *
 * @param only Name of the only server to start. Without one, all run in this process.
 */
async function serve(redisUrl, only) {
  const { default: express } = await import('express');
  const { latchkey, redisDirectory, redisLock, sqliteDirectory } = await import('@latchkey/express');
  const { createClient } = await import('redis');
  const { RedisStore } = await import('connect-redis');
  const { createFakeService, fakeFetch, fakeUser } = await import('@latchkey/conformance/scripted-service');
  const visitor = fakeUser('ada@example.com', [{ validFrom: '2026-01-01T00:00:00.000Z' }]);
  const service = createFakeService({ credentials: 'unchecked', visitor });
  const listen = (app) =>
    new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve(server.address().port));
    });
  const handler = (_request, response) =>
    only === undefined ? response.send('The table is set') : response.json({ text: 'The table is set' });
  const communityId = '5eed0000-0000-4000-8000-0000000000c0';
  const gated = async ({ session, directory }) => {
    await directory.record(visitor.memberships.map(({ id }) => ({ membershipId: id, communityId })));
    const app = express();
    const port = await listen(app);
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
    app.get('/members', auth.requireMembership({ communityId }), handler);
    return port;
  };

  const file =
    only === undefined
      ? ':memory:'
      : join(mkdtempSync(join(tmpdir(), 'latchkey-gate-')), 'memberships.sqlite');
  const servers = {
    bare() {
      const bare = express();
      bare.get('/members', handler);
      return listen(bare);
    },
    'sealed cookie': () => gated({ directory: sqliteDirectory(file) }),
    async Redis() {
      const client = await createClient({ url: redisUrl }).connect();
      return await gated({
        session: { store: new RedisStore({ client }), lock: redisLock(client) },
        directory: only === undefined ? redisDirectory(client) : sqliteDirectory(file),
      });
    },
  };
  process.on('message', (message) => {
    // Node.js writes a profile when the process ends by itself.
    if (message === 'end') process.exit();
    process.send(process.cpuUsage());
  });
  const ports = {};
  for (const name of only === undefined ? Object.keys(servers) : [only]) ports[name] = await servers[name]();
  process.send(ports);
}

async function measure() {
  const { values: options } = parseArgs({
    options: {
      rounds: { type: 'string', default: '7' },
      json: { type: 'string' },
      apart: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const connections = options.apart ? CONNECTIONS_APART : CONNECTIONS;
  const { startRedis } = await import('../test/stores/redis-server.ts');
  const redis = await startRedis();
  const kinds = Object.keys(BUDGETS);
  const flags = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const children = (options.apart ? ['bare', ...kinds] : [undefined]).map((only) =>
    fork(fileURLToPath(import.meta.url), ['serve', redis.url, ...(only === undefined ? [] : [only])], {
      execArgv:
        only === undefined
          ? []
          : [...flags, ...(flags.length > 0 ? [`--cpu-prof-name=${only}.cpuprofile`] : [])],
    }),
  );
  const started = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]));
  const ports = Object.assign({}, ...started);
  const childOf = (name) => children[started.findIndex((each) => name in each)];
  try {
    const cookies = {};
    for (const kind of kinds) {
      cookies[kind] = await signIn(ports[kind]);
      await checkResponses([ports.bare, ports[kind]], cookies[kind]);
      await load(ports[kind], cookies[kind], connections);
    }
    const ratios = Object.fromEntries(kinds.map((kind) => [kind, []]));
    // The CPU time of the server is meaningful even if the load generator is the bottleneck.
    const cpu = Object.fromEntries(kinds.map((kind) => [kind, { bare: [], gated: [] }]));
    const timed = async (name, cookie) => {
      const child = childOf(name);
      const before = await cpuTimeOf(child);
      const rate = await load(ports[name], cookie, connections);
      const microseconds = (await cpuTimeOf(child)) - before;
      return { rate, cpu: microseconds / ((rate * ROUND_MS) / 1000) };
    };
    for (let round = 1; round <= Number(options.rounds); round += 1) {
      for (const kind of kinds) {
        // The bare route receives the same headers, because Node's parsing is not part of the gate. Apart, it is.
        const bare = await timed('bare', options.apart ? undefined : cookies[kind]);
        const gated = await timed(kind, cookies[kind]);
        const ratio = gated.rate / bare.rate;
        ratios[kind].push(ratio);
        cpu[kind].bare.push(bare.cpu);
        cpu[kind].gated.push(gated.cpu);
        console.log(
          `round ${round}, ${kind}: bare ${bare.rate.toFixed(0)}/s, gated ${gated.rate.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`,
        );
      }
    }
    for (const kind of kinds) {
      const ratio = median(ratios[kind]);
      const [bare, gated] = [median(cpu[kind].bare), median(cpu[kind].gated)];
      console.log(
        `${kind}: ${ratio.toFixed(2)} of the bare route's requests/s (budget ${BUDGETS[kind]}); ` +
          `CPU time of the server for each request: ${bare.toFixed(0)} µs bare, ${gated.toFixed(0)} µs gated (${(bare / gated).toFixed(2)}); ` +
          `cookie of ${cookies[kind].length} bytes`,
      );
      if (ratio < BUDGETS[kind]) process.exitCode = 1;
    }
    const figures = kinds.map((kind) => [
      [`${FIGURES[kind]}Ratio`, spread(ratios[kind])],
      [
        `${FIGURES[kind]}CpuRatio`,
        spread(cpu[kind].bare.map((bare, round) => bare / cpu[kind].gated[round])),
      ],
    ]);
    writeFigures(options.json, Object.fromEntries(figures.flat()));
  } finally {
    for (const child of children) {
      const ended = once(child, 'exit');
      child.send('end');
      await ended;
    }
    await redis.stop();
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
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
  return response.headers.getSetCookie()[0].split(';')[0];
}

async function checkResponses([bare, gated], cookie) {
  for (const port of [bare, gated]) {
    const response = await fetch(`http://127.0.0.1:${port}/members`, { headers: { cookie } });
    if (response.status !== 200) throw new Error(`GET /members returned ${response.status}.`);
  }
  const signedOut = await fetch(`http://127.0.0.1:${gated}/members`);
  if (signedOut.status !== 401)
    throw new Error(`The gate returned ${signedOut.status} to a signed-out visitor.`);
}

/** Returns requests/s over keep-alive connections, each of which sends its next request after a response. */
async function load(port, cookie, connections) {
  const cookieLine = cookie === undefined ? '' : `Cookie: ${cookie}\r\n`;
  const request = `GET /members HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json\r\n${cookieLine}\r\n`;
  const startedAt = performance.now();
  const endsAt = startedAt + ROUND_MS;
  const counts = await Promise.all(Array.from({ length: connections }, () => drive(port, request, endsAt)));
  return (counts.reduce((sum, count) => sum + count, 0) * 1000) / (performance.now() - startedAt);
}

function drive(port, request, endsAt) {
  return new Promise((resolve, reject) => {
    let responses = 0;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      // Responses are small and requested one at a time, so each arrives in one chunk.
      if (!chunk.includes('The table is set')) return;
      responses += 1;
      if (performance.now() < endsAt) return void socket.write(request);
      socket.end();
      resolve(responses);
    });
  });
}
