import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect, it } from 'vitest';
import { temporaryFile } from './call.js';
import { listeningAt, type RunningLatchkey, startLatchkey } from './running-latchkey.js';

/** A process of the service behind a load balancer. */
interface Upstream {
  readonly port: number;
  isReady: boolean;
}

const LOOPS = 4;
const CHECK_MS = 50;

/** A round-robin load balancer: sends requests to ready processes, and to the next one only if a connection is refused. */
class RoundRobinClient {
  readonly statuses: number[] = [];
  readonly failures: unknown[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #upstreams: readonly Upstream[];
  #turn = 0;
  #isStopped = false;

  constructor(upstreams: readonly Upstream[]) {
    this.#upstreams = upstreams;
  }

  /** Sends requests in parallel loops and polls readiness, until it is stopped. */
  async run(): Promise<void> {
    const checks = setInterval(() => {
      for (const upstream of this.#upstreams) void this.#check(upstream);
    }, CHECK_MS);
    await Promise.all(Array.from({ length: LOOPS }, () => this.#loop()));
    clearInterval(checks);
    this.#agent.destroy();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #check(upstream: Upstream): Promise<void> {
    const status = await this.#get(upstream, '/readyz').catch(() => undefined);
    upstream.isReady = status === 200;
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      try {
        this.statuses.push(await this.#send());
      } catch (error) {
        this.failures.push(error);
      }
    }
  }

  async #send(): Promise<number> {
    for (let attempt = 0; ; attempt += 1) {
      const ready = this.#upstreams.filter(({ isReady }) => isReady);
      const upstream = ready[this.#turn++ % ready.length];
      if (upstream === undefined) throw new Error('No process is ready.');
      try {
        return await this.#get(upstream, `/oauth/client/${sandboxScenario.publicClient.clientId}`);
      } catch (error) {
        if (attempt >= LOOPS || (error as { code?: string }).code !== 'ECONNREFUSED') throw error;
      }
    }
  }

  #get({ port }: Upstream, path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ agent: this.#agent, host: '127.0.0.1', port, path });
      outgoing.on('error', reject);
      outgoing.on('response', (response: IncomingMessage) => {
        response.on('error', reject).resume();
        once(response, 'end').then(() => resolve(response.statusCode ?? 0), reject);
      });
      outgoing.end();
    });
  }
}

// Four processes start one after the other, which is slow on a busy machine.
describe('a rolling restart of two processes on one database', { timeout: 120_000 }, () => {
  it('fails no request of a load balancer that polls /readyz', async ({ onTestFinished }) => {
    const database = `sqlite:${temporaryFile(onTestFinished)}`;
    const running: RunningLatchkey[] = [];
    onTestFinished(() => {
      for (const { process } of running) process.kill('SIGKILL');
    });
    const start = async (port = 0) => {
      const args = ['sandbox', '--database', database, '--port', String(port), '--drain-delay', '500ms'];
      const latchkey = startLatchkey(args);
      running.push(latchkey);
      const address = await listeningAt(latchkey);
      await latchkey.waitFor(/Press Ctrl-C to stop/);
      return { latchkey, port: Number(new URL(address).port) };
    };
    const processes = [await start(), await start()];
    const upstreams = processes.map(({ port }) => ({ port, isReady: true }));
    const client = new RoundRobinClient(upstreams);
    const traffic = client.run();
    for (const [index, { latchkey, port }] of processes.entries()) {
      latchkey.process.kill('SIGTERM');
      expect(await latchkey.ended).toBe(0);
      const before = client.statuses.length;
      await start(port);
      await expect.poll(() => upstreams[index]?.isReady, { timeout: 20_000 }).toBe(true);
      expect(client.statuses.length).toBeGreaterThan(before);
    }
    client.stop();
    await traffic;
    expect(client.failures).toEqual([]);
    expect(new Set(client.statuses)).toEqual(new Set([200]));
    expect(client.statuses.length).toBeGreaterThan(100);
  });
});
