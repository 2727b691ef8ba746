import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { createDeliveryWorker } from '../src/domain/webhooks/delivery-worker.js';
import { emit, membershipCreated } from './emitted-events.js';
import { idsOf } from './webhook-receiver.js';
import { it } from './webhook-world.js';

/** Each costs the start of a process: more of them when somebody asks. */
const KILLS = Number(process.env.LATCHKEY_KILLS ?? 4);
/** A kill for every so many requests, while one of them is being answered. */
const REQUESTS_PER_KILL = 6;
const EVENTS = KILLS * REQUESTS_PER_KILL + 10;
/** What the clock moves on with each kill: the leases of the killed end. */
const LEASE_MS = 60_000;

describe('webhooks', () => {
  it('all arrive, though one of two processes is killed in the middle of its deliveries, again and again', {
    timeout: 300_000,
  }, async ({ world }) => {
    const { id } = await world.register();
    let aheadMs = 0;
    const servers: ChildProcess[] = [];
    const begin = async () => {
      const server = fork(join(import.meta.dirname, 'killed-server.mjs'), [
        world.databaseUrl,
        String(aheadMs),
      ]);
      servers.push(server);
      await once(server, 'message');
    };
    const killOldest = async () => {
      const server = servers.shift();
      server?.kill('SIGKILL');
      if (server !== undefined) await once(server, 'exit');
      aheadMs += LEASE_MS;
      for (const other of servers) other.send(aheadMs);
      await begin();
    };

    let kills = 0;
    /** Nothing is answered while one is killed and another begins, so that the killed one is in the middle of its work. */
    let killing = Promise.resolve();
    let everything: (() => void) | undefined;
    const arrived = new Promise<void>((done) => {
      everything = done;
    });
    world.receiver.answer((response) => {
      const { received } = world.receiver;
      if (new Set(idsOf(world.receiver)).size === EVENTS) everything?.();
      if (kills < KILLS && received.length >= (kills + 1) * REQUESTS_PER_KILL) {
        kills += 1;
        killing = killing.then(killOldest);
      }
      killing.then(() => response.writeHead(204).end());
    });

    await Promise.all([begin(), begin()]);
    for (let count = 0; count < EVENTS; count += 1) await emit(world.db, membershipCreated(), Date.now());
    await arrived;
    const ended = servers.map((server) => once(server, 'exit'));
    for (const server of servers) server.kill('SIGTERM');
    await Promise.all(ended);

    // What arrived and was not recorded any more is still to be sent, once the leases have ended.
    const clock = { now: () => Date.now() + aheadMs + LEASE_MS };
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const policy = { allowLoopback: true };
    const rest = createDeliveryWorker({ clock, logger: quiet, db: world.db, policy });
    await rest.deliverDue();
    await rest.stop();
    const deliveries = await world.deliveries(id);
    expect(kills).toBe(KILLS);
    expect(new Set(idsOf(world.receiver))).toEqual(new Set(deliveries.map(({ eventId }) => eventId)));
    expect(deliveries).toHaveLength(EVENTS);
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
    expect(world.receiver.received.length).toBeGreaterThan(EVENTS);
  });
});
