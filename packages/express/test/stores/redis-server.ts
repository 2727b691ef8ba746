import type { TestProject } from 'vitest/node';
import { startRedis } from '../../../../scripts/redis.mjs';

export { startRedis };

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a Redis that tests may fill with what they like. */
    redis: string;
    /** From the server's own set-up: a PostgreSQL where databases may be created. */
    postgres: { url: string; prefix: string };
  }
}

/** One Redis for the whole run: that of `LATCHKEY_TEST_REDIS` (a URL), else one of our own on a free port. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.LATCHKEY_TEST_REDIS;
  const server = given === undefined ? await startRedis() : { url: given, stop: async () => undefined };
  project.provide('redis', server.url);
  return () => server.stop();
}
