import { startRedis } from '../scripts/redis.mjs';
import { LONG } from './levels.js';
import { startPostgresServer } from './postgres-server.js';
import { freePort, npmScript, STARTS_MS } from './running-command.js';
import { expect, pickUser, test } from './world.js';

const CLIENT_ID = `oac_${'e5'.repeat(12)}`;

/** A store's server, and the variable that names it to the example. */
interface StoreServer {
  env: Record<string, string>;
  stop(): Promise<void>;
}

async function startRedisServer(): Promise<StoreServer> {
  const redis = await startRedis();
  return { env: { REDIS_URL: redis.url }, stop: redis.stop };
}

async function startPostgresStore(): Promise<StoreServer> {
  const { database, close } = await startPostgresServer();
  return { env: { DATABASE_URL: database }, stop: close };
}

// Only the store differs. `npm test` shares sessions between processes in the kit's own tests.
for (const [name, startStore] of [
  ['Redis', startRedisServer],
  ['PostgreSQL', startPostgresStore],
] as const) {
  test(`three instances on ${name} share sign-ins and sign-outs`, { tag: LONG }, async ({ page, world }) => {
    test.slow();
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    await world.service.operator.change('clients', CLIENT_ID, { redirectUris: [`${origin}/auth/callback`] });
    const store = await startStore();
    const example = npmScript('example:several-instances', {
      PORT: `${port}`,
      LATCHKEY_SERVICE_URL: world.service.baseUrl,
      ...store.env,
    });
    try {
      await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
      await page.goto(`${origin}/members`);
      await pickUser(page, 'ada@example.com');
      await page.getByRole('button', { name: 'Allow' }).click();
      const instances = new Set<string>();
      for (let visit = 0; visit < 6; visit += 1) {
        await page.goto(`${origin}/members`);
        const text = await page.getByText('Welcome, ada@example.com').textContent();
        instances.add(text?.at(-1) ?? '');
      }
      expect([...instances].sort()).toEqual(['1', '2', '3']);

      const cookies = await page.context().cookies(origin);
      const cookie = cookies.map((each) => `${each.name}=${each.value}`).join('; ');
      await page.goto(origin);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
      for (let visit = 0; visit < 3; visit += 1) {
        const answer = await page.request.get(`${origin}/members`, {
          headers: { cookie, accept: 'application/json' },
        });
        expect(answer.status()).toBe(401);
      }

      await page.context().clearCookies();
      await page.goto(`${origin}/auth/login?returnTo=/`);
      await pickUser(page, 'eve@example.com');
      await page.getByRole('button', { name: 'Allow' }).click();
      await expect(page.getByRole('link', { name: 'Members' })).toBeVisible();
      for (let visit = 0; visit < 3; visit += 1) {
        const rejected = await page.request.get(`${origin}/members`);
        expect(rejected.status()).toBe(403);
      }
    } finally {
      await example.stop();
      await store.stop();
    }
  });
}
