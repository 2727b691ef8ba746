import type { TestProject } from 'vitest/node';
import { startRedis } from '../../../../scripts/redis.mjs';

export { startRedis };

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a Redis that tests may write to. */
    redis: string;
    /** Set by the global setup of the server package: a PostgreSQL that can create databases. */
    postgres: { url: string; prefix: string };
  }
}

/** Provides one Redis for the whole run: `LATCHKEY_TEST_REDIS` (a URL), or a new one on a free port. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.LATCHKEY_TEST_REDIS;
  const server = given === undefined ? await startRedis() : { url: given, stop: async () => undefined };
  project.provide('redis', server.url);
  return () => server.stop();
}
