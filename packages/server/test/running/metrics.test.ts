import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENDPOINTS } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { Router } from 'express';
import { describe, expect, it } from 'vitest';
import { callResource } from '../authorization-flow.js';
import { type ServiceOptions, type ServiceUnderTest, startService } from '../service-under-test.js';

interface ServiceWithMetrics {
  readonly service: ServiceUnderTest;
  /** Scraped series, value by name. */
  scrape(): Promise<Map<string, number>>;
  readonly metricsUrl: string;
}

async function serviceWithMetrics(
  onTestFinished: (end: () => Promise<void>) => void,
  options: ServiceOptions = {},
): Promise<ServiceWithMetrics> {
  const service = await startService({ metrics: { port: 0 }, ...options });
  onTestFinished(() => service.server.close());
  const metricsUrl = `http://127.0.0.1:${service.server.metricsPort}/metrics`;
  return {
    service,
    metricsUrl,
    async scrape() {
      const text = await (await fetch(metricsUrl)).text();
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      return new Map(
        lines.map((line) => [
          line.slice(0, line.lastIndexOf(' ')),
          Number(line.slice(line.lastIndexOf(' '))),
        ]),
      );
    },
  };
}

const requestsOf = (series: ReadonlyMap<string, number>) =>
  [...series.keys()].filter((name) => name.startsWith('latchkey_http_request_duration_seconds_count'));

describe('metrics', () => {
  it('are served on a port of their own, and never on the service’s port', async ({ onTestFinished }) => {
    const { service, metricsUrl } = await serviceWithMetrics(onTestFinished);
    const answer = await fetch(metricsUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect((await service.request('/metrics')).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405);
    expect((await fetch(metricsUrl.replace('/metrics', '/sign-in'))).status).toBe(404);
  });

  it('are disabled by default', async ({ onTestFinished }) => {
    const service = await startService();
    onTestFinished(() => service.server.close());
    expect(service.server.metricsPort).toBeUndefined();
  });

  it('count requests by route, method and status, with durations', async ({ onTestFinished }) => {
    const { service, scrape } = await serviceWithMetrics(onTestFinished);
    await callResource(service, 'none');
    await callResource(service, 'none');
    await service.request(`/oauth/client/${sandboxScenario.publicClient.clientId}`);
    const series = await scrape();
    const count = (labels: string) => series.get(`latchkey_http_request_duration_seconds_count{${labels}}`);
    expect(count('method="GET",route="/oauth/userinfo",status="401"')).toBe(2);
    expect(count('method="GET",route="/oauth/client/:clientId",status="200"')).toBe(1);
    expect(
      series.get(
        'latchkey_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/oauth/userinfo",status="401"}',
      ),
    ).toBe(2);
  });

  it('count each endpoint for API keys by its own path, and requests without an answer as 499', async ({
    onTestFinished,
  }) => {
    const { service, scrape } = await serviceWithMetrics(onTestFinished, {
      sandbox: false,
      mailer: { send: async () => undefined },
      routes: () => Router().get('/never', () => undefined),
    });
    const keyed = Object.values(ENDPOINTS).filter(({ auth }) => auth.kind === 'api-key');
    for (const { method, path } of keyed) await service.request(path.replaceAll(/\{\w+\}/g, 'x'), { method });
    await expect(service.request('/never', { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    const count = (series: ReadonlyMap<string, number>, labels: string) =>
      series.get(`latchkey_http_request_duration_seconds_count{${labels}}`);
    await expect.poll(async () => count(await scrape(), 'method="GET",route="/never",status="499"')).toBe(1);
    const series = await scrape();
    for (const { method, path } of keyed) {
      expect(count(series, `method="${method}",route="${path}",status="401"`), path).toBe(1);
    }
  });

  it('have no labels with values that callers choose', async ({ onTestFinished }) => {
    const { service, scrape } = await serviceWithMetrics(onTestFinished);
    for (let index = 0; index < 60; index += 1) {
      await service.request(`/made-up-${index}?made=${index}`);
      await service.request(`/oauth/client/oac_made-up-${index}`);
      await service.request(`/membership/check-messenger/made-up-${index}/1`);
      await service
        .request(`/widget/callback/made-up-${index}`, { method: `MADE${index}` })
        .catch(() => undefined);
    }
    const series = await scrape();
    expect([...series.keys()].join('\n')).not.toMatch(/made/i);
    expect(requestsOf(series).length).toBeLessThanOrEqual(5);
    expect(
      series.get('latchkey_http_request_duration_seconds_count{method="GET",route="none",status="404"}'),
    ).toBe(60);
  });

  it('include the database, the event loop and the process', async ({ onTestFinished }) => {
    const { scrape } = await serviceWithMetrics(onTestFinished);
    const series = await scrape();
    expect(series.get('latchkey_database_up')).toBe(1);
    for (const name of [
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ]) {
      expect(series.get(name), name).toBeTypeOf('number');
    }
  });

  it('include the number and the age of the pending webhook deliveries', async ({ onTestFinished }) => {
    const { service, scrape } = await serviceWithMetrics(onTestFinished, { backgroundWork: false });
    const waiting = async () => {
      const series = await scrape();
      return ['deliveries_pending', 'oldest_pending_seconds', 'delivery_lag_seconds'].map((name) =>
        series.get(`latchkey_webhook_${name}`),
      );
    };
    await service.server.runBackgroundWork();
    const [before = 0] = await waiting();
    const { dana: owner, ben: member } = sandboxScenario.users;
    const { operator } = service.server;
    const community = await operator.createCommunity({ name: 'ServiceWithMetrics', ownerId: owner.id });
    await operator.createWebhook({
      ownerId: owner.id,
      communityId: community.id,
      url: 'http://127.0.0.1:1/hooks',
    });
    await operator.grantMembership({
      userId: member.id,
      productType: 'community',
      communityId: community.id,
    });
    service.clock.advance(90_000);
    expect(await waiting()).toEqual([before + 1, 90, 90]);
    // The attempt fails, so the next one is due later.
    await service.server.runBackgroundWork();
    const [still, age, lag] = await waiting();
    expect([still, age, lag]).toEqual([before + 1, 90, 0]);
  });

  it('cost no start time when they are disabled', { timeout: 60_000 }, async () => {
    const server = join(import.meta.dirname, '../../dist/index.js');
    const script = `
      import { createRequire } from 'node:module';
      const { startServer } = await import(${JSON.stringify(server)});
      const server = await startServer({ database: 'sqlite::memory:', mailer: { send: async () => undefined }, port: 0 });
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      await server.close();
      console.log(JSON.stringify(['prom-client', 'pino', 'pg', 'express'].filter((name) => loaded.some((file) => file.includes('/node_modules/' + name + '/')))));`;
    const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(run.stdout)).toEqual(['express']);
  });
});
