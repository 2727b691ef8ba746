import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import { describe, expect } from 'vitest';
import { DeliveryWorker } from '../src/features/webhooks/sending/delivery-worker.js';
import type { Database } from '../src/platform/database/open-database.js';
import { emit, membershipCreated } from './emitted-events.js';
import { idsOf } from './webhook-receiver.js';
import { it } from './webhook-world.js';

/** Number of kills. Each one costs the start of a process, so more of them are optional. */
const KILLS = Number(process.env.LATCHKEY_KILLS ?? 3);
/** Requests per kill. The kill happens during a response. */
const REQUESTS_PER_KILL = 6;
const EVENTS = KILLS * REQUESTS_PER_KILL + 10;
/** Milliseconds that the clock advances with each kill, so that the leases of the killed process end. */
const LEASE_MS = 60_000;

/** Starts and kills server processes on one database, oldest first. Their clock advances with each kill. */
function createServers(databaseUrl: string) {
  const servers: ChildProcess[] = [];
  let aheadMs = 0;
  const start = async () => {
    const server = fork(join(import.meta.dirname, 'killed-server.mjs'), [databaseUrl, String(aheadMs)]);
    servers.push(server);
    await once(server, 'message');
  };
  return {
    aheadMs: () => aheadMs,
    start,
    async replaceOldest() {
      const server = servers.shift();
      server?.kill('SIGKILL');
      if (server !== undefined) await once(server, 'exit');
      aheadMs += LEASE_MS;
      for (const other of servers) other.send(aheadMs);
      await start();
    },
    async stop() {
      const ended = servers.map((server) => once(server, 'exit'));
      for (const server of servers) server.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}

/** Sends the remaining deliveries once the leases have ended. */
async function deliverRest(db: Database, aheadMs: number): Promise<void> {
  const worker = new DeliveryWorker({
    clock: { now: () => Date.now() + aheadMs + LEASE_MS },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    db,
    serviceNames: DEFAULT_SERVICE_NAMES,
    policy: { allowLoopback: true },
  });
  await worker.deliverDue();
  await worker.stop();
}

describe('webhooks', () => {
  it('all arrive, although one of two processes is repeatedly killed during its deliveries', {
    timeout: 300_000,
  }, async ({ world }) => {
    const { id } = await world.register();
    const servers = createServers(world.databaseUrl);
    let kills = 0;
    // The receiver pauses between the kill and the next start, so that each kill happens during a delivery.
    let killing = Promise.resolve();
    let allArrived = () => {};
    const arrived = new Promise<void>((resolve) => {
      allArrived = resolve;
    });
    world.receiver.answer((response) => {
      const { received } = world.receiver;
      if (new Set(idsOf(world.receiver)).size === EVENTS) allArrived();
      if (kills < KILLS && received.length >= (kills + 1) * REQUESTS_PER_KILL) {
        kills += 1;
        killing = killing.then(servers.replaceOldest);
      }
      killing.then(() => response.writeHead(204).end());
    });

    await Promise.all([servers.start(), servers.start()]);
    for (let count = 0; count < EVENTS; count += 1) await emit(world.db, membershipCreated(), Date.now());
    await arrived;
    await servers.stop();
    await deliverRest(world.db, servers.aheadMs());

    const deliveries = await world.deliveries(id);
    expect(kills).toBe(KILLS);
    expect(new Set(idsOf(world.receiver))).toEqual(new Set(deliveries.map(({ eventId }) => eventId)));
    expect(deliveries).toHaveLength(EVENTS);
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
    expect(world.receiver.received.length).toBeGreaterThan(EVENTS);
  });
});
