import { setTimeout as pause } from 'node:timers/promises';
import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/index.js';
import { publicTokens, type TokenPairBody } from '../authorization-flow.js';
import { type Cluster, startCluster } from '../cluster/cluster.js';
import { type EmbeddedPostgresServer, startEmbeddedPostgres } from '../database/embedded-postgres.js';
import { PUBLIC } from '../service-under-test.js';

const { community, apiKey } = sandboxScenario;

const PROCESSES = 3;
/** Concurrent callers of each kind: some refresh tokens, others provision memberships. */
const CALLERS = 9;
/** Without error listeners, all processes ended within the first second. */
const STORM_MS = 2_000;
const BETWEEN_ROUNDS_MS = 40;
const CRASHES = 2;
/** Time without PostgreSQL after each crash: connecting fails as well then. */
const DOWNTIME_MS = 300;

const endings: (() => void | Promise<void>)[] = [];
let postgres: EmbeddedPostgresServer;
let cluster: Cluster;

beforeAll(async () => {
  postgres = await startEmbeddedPostgres();
  endings.unshift(() => postgres.stop());
  cluster = await startCluster(PROCESSES, (end) => void endings.unshift(end), {
    database: postgres.url,
    isQuiet: true,
  });
}, 60_000);

afterAll(async () => {
  for (const end of endings) await end();
});

/** Responses that the callers received. */
interface Received {
  /** Number of responses by status, such as `provision 200`. */
  counts: Map<string, number>;
  /** Responses that no caller may receive, and requests without a response. */
  unexpected: string[];
  /** External order ids that were answered with success. */
  orders: string[];
}

function provision(order: string, index?: number): Promise<Response> {
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      communityId: community.id,
      externalOrderId: order,
      email: `${order}@shop.example`,
    }),
  };
  if (index !== undefined) return cluster.requestOne(index, PATHS.provisionExternal, request);
  return cluster.request(PATHS.provisionExternal, request);
}

function refresh(refreshToken: string, index?: number): Promise<Response> {
  const request = {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: PUBLIC,
      refresh_token: refreshToken,
    }),
  };
  if (index !== undefined) return cluster.requestOne(index, '/oauth/token', request);
  return cluster.request('/oauth/token', request);
}

/** Records a response. A 503 must have the shape of its path and a Retry-After. */
async function receive(
  received: Received,
  name: string,
  asked: Promise<Response>,
  ok: number,
  shape: object,
) {
  try {
    const response = await asked;
    const body: unknown = await response.json();
    const key = `${name} ${response.status}`;
    received.counts.set(key, (received.counts.get(key) ?? 0) + 1);
    if (response.status === ok) return { status: ok, body };
    const isRefused = response.status === 503 && response.headers.get('retry-after') === '1';
    if (isRefused) expect(body).toMatchObject(shape);
    else if (key !== 'refresh 400') received.unexpected.push(`${key}: ${JSON.stringify(body)}`);
    return { status: response.status, body };
  } catch (error) {
    received.unexpected.push(`${name}: ${String(error)}`);
    await pause(50);
    return { status: 0, body: undefined };
  }
}

async function keepProvisioning(received: Received, stop: AbortSignal, caller: number): Promise<void> {
  for (let number = 0; !stop.aborted; number += 1) {
    const order = `order-${caller}-${number}-${Math.random()}`;
    const shape = { success: false, errorCode: 'service_unavailable' };
    const { status } = await receive(received, 'provision', provision(order), 200, shape);
    if (status === 200) received.orders.push(order);
  }
}

async function keepRefreshing(received: Received, stop: AbortSignal, first: TokenPairBody): Promise<void> {
  let pair: TokenPairBody | undefined = first;
  let isUnsure = false;
  while (!stop.aborted) {
    // Signing in again takes several pages, each of which may fail.
    pair ??= await publicTokens(cluster).catch(() => undefined);
    if (typeof pair?.refresh_token !== 'string') {
      pair = undefined;
      continue;
    }
    const shape = { error: 'server_error' };
    const { status, body } = await receive(received, 'refresh', refresh(pair.refresh_token), 201, shape);
    if (status === 201) pair = body as TokenPairBody;
    // After a 503 the token may have been rotated. Only then may it be rejected.
    else if (status === 400) {
      if (!isUnsure) received.unexpected.push(`refresh 400 of a valid token: ${JSON.stringify(body)}`);
      pair = undefined;
    }
    isUnsure = status === 503;
  }
}

/** Breaks connections while callers send requests, and returns their responses. */
async function runUnderLoad(storm: () => Promise<void>): Promise<Received> {
  const received: Received = { counts: new Map(), unexpected: [], orders: [] };
  const stop = new AbortController();
  const pairs = await Promise.all(Array.from({ length: CALLERS }, () => publicTokens(cluster)));
  const callers = [
    ...pairs.map((pair) => keepRefreshing(received, stop.signal, pair)),
    ...pairs.map((_, caller) => keepProvisioning(received, stop.signal, caller)),
  ];
  try {
    await storm();
  } finally {
    stop.abort();
    await Promise.all(callers);
  }
  return received;
}

async function runOnPostgres<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  return await work(client).finally(() => client.end());
}

/** Fails unless callers got successes and 503s, no process ended, and each process serves again. */
async function expectRecovery(received: Received): Promise<void> {
  expect(cluster.exits).toEqual([]);
  expect(received.unexpected).toEqual([]);
  expect([...received.counts.keys()]).toEqual(
    expect.arrayContaining(['provision 200', 'provision 503', 'refresh 201', 'refresh 503']),
  );
  for (let index = 0; index < PROCESSES; index += 1) {
    await expect
      .poll(async () => (await cluster.requestOne(index, '/readyz')).status, { timeout: 10_000 })
      .toBe(200);
    expect((await provision(`after-${index}-${Math.random()}`, index)).status).toBe(200);
    const { refresh_token } = await publicTokens(cluster);
    expect((await refresh(refresh_token, index)).status).toBe(201);
  }
  const stored = await runOnPostgres((client) =>
    client.query<{ id: string }>(
      'select external_order_id as id from memberships where external_order_id is not null',
    ),
  );
  const ids = stored.rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(received.orders.filter((order) => !ids.includes(order))).toEqual([]);
  expect(cluster.exits).toEqual([]);
}

describe(`${PROCESSES} server processes under load`, { timeout: 300_000 }, () => {
  it(`survive ${STORM_MS / 1000} seconds in which all connections are broken repeatedly`, async () => {
    let terminated = 0;
    const received = await runUnderLoad(() =>
      runOnPostgres(async (client) => {
        const end = performance.now() + STORM_MS;
        while (performance.now() < end) {
          await pause(BETWEEN_ROUNDS_MS);
          const { rowCount } = await client.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'latchkey %'",
          );
          terminated += rowCount ?? 0;
        }
      }),
    );
    await expectRecovery(received);
    expect(terminated).toBeGreaterThan(PROCESSES);
  });

  it(`survive ${CRASHES} crashes of PostgreSQL`, async () => {
    const received = await runUnderLoad(async () => {
      for (let crash = 0; crash < CRASHES; crash += 1) {
        await pause(500);
        await postgres.crash();
        await pause(DOWNTIME_MS);
        await postgres.restart();
      }
      await pause(500);
    });
    await expectRecovery(received);
  });
});

describe('server that starts while PostgreSQL is down', { timeout: 30_000 }, () => {
  it('rejects at the first attempt unless it waits for the database', async () => {
    await postgres.crash();
    const mailer = { send: async () => undefined };
    // The sandbox servers of the tests above have reserved the database.
    const options = { mailer, port: 0, database: postgres.url, databasePurpose: 'sandbox' };
    await expect(startServer(options)).rejects.toThrow('ECONNREFUSED');

    const warnings: string[] = [];
    const silent = () => undefined;
    const logger = {
      info: silent,
      warn: (_fields: object, line: string) => void warnings.push(line),
      error: silent,
    };
    const starting = startServer({ ...options, logger, waitForDatabase: new AbortController().signal });
    await expect
      .poll(() => warnings, { timeout: 10_000 })
      .toContain('The database is not available; trying again');
    await postgres.restart();
    const server = await starting;
    onTestFinished(() => server.close());
    expect((await fetch(`http://127.0.0.1:${server.port}/readyz`)).status).toBe(200);
  });
});
