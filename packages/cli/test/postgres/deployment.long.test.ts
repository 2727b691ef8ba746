import { Agent, request } from 'node:https';
import { PATHS } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { localhostCertificate } from '../../../../scripts/localhost-certificate.mjs';
import { latchkey } from '../call.js';
import { onDatabase } from './create-database.js';
import { startDeployment } from './deployment.js';

const LOOPS = 4;
const REDIRECT_URI = 'https://shop.example/callback';

/** Body of a response of the two endpoints; `undefined` unless the status is 200. */
type Body = { data: { membershipId: string; isActive?: boolean } } | undefined;

interface Caller {
  readonly clientId: string;
  readonly key: string;
  readonly communityId: string;
}

/** Creates a partner with a community and an API key. */
async function createCaller({ database, url }: { database: string; url: string }): Promise<Caller> {
  const admin = async (...args: string[]) => {
    const { code, out, err } = await latchkey(['admin', ...args, '--json', '--database', database]);
    expect(code, err).toBe(0);
    return JSON.parse(out);
  };
  const { id: ownerId } = await admin('create', 'user', '--email', 'owner@members.example');
  await admin('change', 'user', ownerId, '--may-provision');
  const { id: communityId } = await admin('create', 'community', '--name', 'Club', '--owner-id', ownerId);
  const permissions = ['MEMBERSHIP_READ', 'MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION'];
  const { key } = await admin(
    ...['create', 'key', '--owner-id', ownerId, '--name', 'Funnel'],
    ...permissions.flatMap((permission) => ['--permission', permission]),
  );
  const { clientId } = await admin(
    ...['create', 'client', '--type', 'public', '--name', 'Shop', '--owner-id', ownerId],
    ...['--scope', 'memberships.read', '--redirect-uri', REDIRECT_URI, '--base-url', url],
  );
  return { clientId, key, communityId };
}

/** Sends requests in parallel loops over kept-open connections until it is stopped. */
class Load {
  readonly failures: string[] = [];
  /** Order ids and membership ids that the service acknowledged. */
  readonly acknowledged = new Map<string, string>();
  reads = 0;
  readonly #agent = new Agent({ keepAlive: true, ca: localhostCertificate.cert });
  #isStopped = false;

  readonly #url: string;
  readonly #caller: Caller;

  constructor(url: string, caller: Caller) {
    this.#url = url;
    this.#caller = caller;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: LOOPS }, (_, loop) => this.#loop(loop)));
    this.#agent.destroy();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #loop(loop: number): Promise<void> {
    const { communityId } = this.#caller;
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const externalOrderId = `order-${loop}-${turn}`;
      try {
        const body = JSON.stringify({
          communityId,
          externalOrderId,
          messengerUserId: 1 + loop * 1_000_000 + turn,
        });
        const provisioned = await this.#send('POST', PATHS.provisionExternal, body);
        if (provisioned.body !== undefined)
          this.acknowledged.set(externalOrderId, provisioned.body.data.membershipId);
        else this.failures.push(`${externalOrderId}: ${provisioned.status}`);
        const checked = await this.#send(
          'GET',
          `/membership/check-messenger/${communityId}/${1 + loop * 1_000_000 + turn}`,
        );
        if (checked.body?.data.isActive === true) this.reads += 1;
        else this.failures.push(`check: ${checked.status} ${JSON.stringify(checked.body)}`);
      } catch (error) {
        this.failures.push(`${externalOrderId}: ${String(error)}`);
      }
    }
  }

  #send(method: string, path: string, body?: string): Promise<{ status: number; body: Body }> {
    const headers = { authorization: `Bearer ${this.#caller.key}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.#url}${path}`, { agent: this.#agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          resolve({ status, body: status === 200 ? JSON.parse(text) : undefined });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

function statusOf(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const ca = localhostCertificate.cert;
    const outgoing = request(
      url,
      { ca, headers, servername: 'localhost', maxHeaderSize: 64 * 1024 },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      },
    );
    outgoing.once('error', reject).end();
  });
}

describe('the deployment example with nginx and PgBouncer', { timeout: 180_000 }, () => {
  it('fails no request during a rolling restart, and keeps every acknowledged write', async ({
    onTestFinished,
  }) => {
    const deployment = await startDeployment(onTestFinished);
    const caller = await createCaller(deployment);
    const load = new Load(deployment.url, caller);
    const traffic = load.run();
    await expect.poll(() => load.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(LOOPS);
    const { code, output } = await deployment.restartAll();
    const during = load.acknowledged.size;
    await expect.poll(() => load.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(during);
    load.stop();
    await traffic;
    expect(code, output).toBe(0);
    expect(new Set(deployment.pids).size).toBe(4);
    expect(load.failures, deployment.proxyLog()).toEqual([]);
    // The redirect to the sign-in page repeats the longest possible state, and no client names another host.
    const authorization = new URLSearchParams({
      ...{ client_id: caller.clientId, redirect_uri: REDIRECT_URI, response_type: 'code' },
      ...{ scope: 'memberships.read', code_challenge: 'c'.repeat(43), state: '\u{1F511}'.repeat(1024) },
    });
    expect(await statusOf(`${deployment.url}/oauth/authorize?${authorization}`)).toBe(302);
    const foreign = { host: 'evil.example', 'x-forwarded-host': new URL(deployment.url).host };
    expect(await statusOf(`${deployment.url}/sign-in`, foreign)).toBe(421);
    expect(load.reads).toBe(load.acknowledged.size);
    const stored = await onDatabase(deployment.database, async (client) => {
      const { rows } = await client.query('select external_order_id as "order", id from memberships');
      return new Map(rows.map(({ order, id }) => [order, id]));
    });
    expect(Object.fromEntries(load.acknowledged)).toEqual(
      Object.fromEntries([...load.acknowledged.keys()].map((order) => [order, stored.get(order)])),
    );
  });
});
