import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY, emailOf } from '../scenarios.mjs';
import { addBurst, countPending } from './database.mjs';
import { spread } from './figures.mjs';
import { pacedLoad } from './paced-load.mjs';

/** Time for the last deliveries of a phase to arrive, in milliseconds. */
const ARRIVAL_MS = 20_000;
const BACKLOG_ARRIVAL_MS = 120_000;

/**
 * Creates the phases of the benchmark.
 *
 * @param context.database,context.server,context.receiver parts of the benchmark.
 * @param context.subjects result of `createWebhooks`.
 * @param context.users number of users.
 * @param context.events events per second, each with ten deliveries.
 * @param context.requests requests per second of the probe that measures the API.
 */
export function createPhases({ database, server, receiver, subjects, users, events, requests }) {
  const { communities, quiet } = subjects;

  function provision(communityId) {
    const body = JSON.stringify({
      communityId,
      externalOrderId: `order-${Math.floor(Math.random() * 2 ** 47)}`,
      email: emailOf(Math.floor(Math.random() * users)),
    });
    return { method: 'POST', path: '/membership/provision-external', token: API_KEY, body };
  }

  /** One request in four writes. None of them causes a delivery. */
  function probeRequest() {
    if (Math.random() < 0.25) return provision(quiet);
    const messengerId = 1 + Math.floor(Math.random() * users);
    return { method: 'GET', path: `/membership/check-messenger/${quiet}/${messengerId}`, token: API_KEY };
  }

  const probe = (signal) => pacedLoad({ port: server.port, signal, perSecond: requests, next: probeRequest });

  /** Waits until no delivery to a healthy endpoint is pending. Returns the number that is left after the limit. */
  async function arrived(limitMs) {
    const until = performance.now() + limitMs;
    for (;;) {
      const pending = await countPending(database);
      if (pending === 0 || performance.now() > until) return pending;
      await pause(50);
    }
  }

  /** Measures the service while deliveries are under way. `work` receives the time of its start and returns figures of its own. */
  async function measured(work) {
    const before = await server.usage();
    const started = performance.now();
    const { times, ...figures } = await work(started);
    const after = await server.usage();
    const { report: arrivals } = await receiver.ask({ order: 'report' });
    return {
      ...figures,
      arrivals,
      api: spread(times),
      statements: after.statements - before.statements,
      cpuMs: after.cpuMs - before.cpuMs,
      megabytes: after.megabytes,
    };
  }

  return {
    /** Provisions members of these communities, and measures the API and the deliveries meanwhile. */
    async provisioning(ms, of = communities) {
      await receiver.ask({ order: 'reset' });
      return await measured(async () => {
        const signal = AbortSignal.timeout(ms);
        const next = () => provision(of[Math.floor(Math.random() * of.length)]);
        const [provisioned, probed] = await Promise.all([
          pacedLoad({ port: server.port, signal, perSecond: events, next }),
          probe(signal),
        ]);
        const lost = await arrived(ARRIVAL_MS);
        return { times: probed.times, errors: provisioned.errors + probed.errors, lost };
      });
    },
    /** Measures how fast a backlog of about this many deliveries ends, and the API meanwhile. */
    async backlog(size) {
      await receiver.ask({ order: 'reset' });
      const deliveries = await addBurst(database, { communities, events: Math.ceil(size / 10) });
      return await measured(async (started) => {
        const stop = new AbortController();
        const probing = probe(stop.signal);
        const lost = await arrived(BACKLOG_ARRIVAL_MS);
        const spent = performance.now() - started;
        stop.abort();
        return { ...(await probing), lost, deliveries, spent };
      });
    },
    async warmUp() {
      await this.provisioning(3_000);
      await addBurst(database, { communities, events: 100 });
      if ((await arrived(ARRIVAL_MS)) > 0) throw new Error('The service does not deliver.');
    },
  };
}
