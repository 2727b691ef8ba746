import type connectPgSimple from 'connect-pg-simple';
import type { RedisStore } from 'connect-redis';
import type { MemoryStore, Store } from 'express-session';
import type pg from 'pg';
import type { createClient, createClientPool, createCluster } from 'redis';
import { expectTypeOf, it } from 'vitest';
import type {
  ExpressSessionStore,
  LatchkeyOptions,
  PostgresPool,
  postgresLock,
  redisLock,
  SessionLock,
} from '../src/index.js';

type RedisClient = Parameters<typeof redisLock>[0];

it('every store of express-session is a valid store', () => {
  expectTypeOf<Store>().toExtend<ExpressSessionStore>();
  expectTypeOf<RedisStore>().toExtend<ExpressSessionStore>();
  expectTypeOf<connectPgSimple.PGStore>().toExtend<ExpressSessionStore>();
  expectTypeOf<MemoryStore>().toExtend<ExpressSessionStore>();
  expectTypeOf<Map<string, string>>().not.toExtend<ExpressSessionStore>();
});

it('locks accept the clients of redis and the pool of pg', () => {
  expectTypeOf<ReturnType<typeof createClient>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createClientPool>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createCluster>>().toExtend<RedisClient>();
  expectTypeOf<pg.Pool>().toExtend<PostgresPool>();
  expectTypeOf<ReturnType<typeof redisLock>>().toEqualTypeOf<SessionLock>();
  expectTypeOf<ReturnType<typeof postgresLock>>().toEqualTypeOf<SessionLock>();
});

it('a lock is no store, and a store is no lock', () => {
  type Session = NonNullable<LatchkeyOptions['session']>;
  expectTypeOf<SessionLock>().not.toExtend<NonNullable<Session['store']>>();
  expectTypeOf<ExpressSessionStore>().not.toExtend<NonNullable<Session['lock']>>();
});
