import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { sandboxScenario } from '@latchkey/server';
import { describe, expect, it } from 'vitest';
import { temporaryFile } from './call.js';
import { listeningAt, type RunningLatchkey, startLatchkey } from './running-latchkey.js';

/** A process of the service, as a load balancer knows it. */
interface Upstream {
  readonly port: number;
  isReady: boolean;
}

const LOOPS = 4;
const CHECK_MS = 50;

/** Asks one after the other in a circle, those that say they are ready; asks the next one only when a connection is refused. */
class RoundRobinClient {
  readonly answers: number[] = [];
  readonly failures: unknown[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #upstreams: readonly Upstream[];
  #turn = 0;
  #isStopped = false;

  constructor(upstreams: readonly Upstream[]) {
    this.#upstreams = upstreams;
  }

  /** Asks in several loops at once, and checks readiness beside, until it is stopped. */
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
        this.answers.push(await this.#ask());
      } catch (error) {
        this.failures.push(error);
      }
    }
  }

  async #ask(): Promise<number> {
    for (let attempt = 0; ; attempt += 1) {
      const ready = this.#upstreams.filter(({ isReady }) => isReady);
      const upstream = ready[this.#turn++ % ready.length];
      if (upstream === undefined) throw new Error('Nobody is ready.');
      try {
        return await this.#get(upstream, `/oauth/client/${sandboxScenario.publicClient.clientId}`);
      } catch (error) {
        if (attempt >= LOOPS || (error as { code?: string }).code !== 'ECONNREFUSED') throw error;
      }
    }
  }

  #get({ port }: Upstream, path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = request({ agent: this.#agent, host: '127.0.0.1', port, path });
      asked.on('error', reject);
      asked.on('response', (answer: IncomingMessage) => {
        answer.on('error', reject).resume();
        once(answer, 'end').then(() => resolve(answer.statusCode ?? 0), reject);
      });
      asked.end();
    });
  }
}

// Several processes start one after the other, which takes its time on a busy machine.
describe('a rolling restart of two processes on one database', { timeout: 120_000 }, () => {
  it('fails no request of a client that asks those who are ready', async ({ onTestFinished }) => {
    const database = `sqlite:${temporaryFile(onTestFinished)}`;
    const running: RunningLatchkey[] = [];
    onTestFinished(() => {
      for (const { process } of running) process.kill('SIGKILL');
    });
    const start = async (port = 0) => {
      const args = [
        'serve',
        '--sandbox',
        '--database',
        database,
        '--port',
        String(port),
        '--drain-delay',
        '500ms',
      ];
      const latchkey = startLatchkey(args);
      running.push(latchkey);
      const address = await listeningAt(latchkey);
      await latchkey.told(/Ctrl-C ends it/);
      return { latchkey, port: Number(new URL(address).port) };
    };
    const processes = [await start(), await start()];
    const upstreams = processes.map(({ port }) => ({ port, isReady: true }));
    const client = new RoundRobinClient(upstreams);
    const traffic = client.run();
    for (const [index, { latchkey, port }] of processes.entries()) {
      latchkey.process.kill('SIGTERM');
      expect(await latchkey.ended).toBe(0);
      const before = client.answers.length;
      await start(port);
      await expect.poll(() => upstreams[index]?.isReady, { timeout: 20_000 }).toBe(true);
      expect(client.answers.length).toBeGreaterThan(before);
    }
    client.stop();
    await traffic;
    expect(client.failures).toEqual([]);
    expect(new Set(client.answers)).toEqual(new Set([200]));
    expect(client.answers.length).toBeGreaterThan(100);
  });
});
