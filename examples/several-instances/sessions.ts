// Opens the session store: Redis or PostgreSQL, depending on the environment.
import process from 'node:process';
import { type LatchkeyOptions, postgresLock, redisLock } from '@latchkey/express';

const { REDIS_URL, DATABASE_URL } = process.env;

export async function openSessions(): Promise<LatchkeyOptions['session']> {
  if (REDIS_URL !== undefined) {
    const { createClient } = await import('redis');
    const { RedisStore } = await import('connect-redis');
    const client = createClient({ url: REDIS_URL });
    // Without a listener, a lost connection ends the process. With one, the client reconnects.
    client.on('error', (error) => process.stderr.write(`Redis: ${error}\n`));
    await client.connect();
    return { store: new RedisStore({ client, prefix: 'shop:' }), lock: redisLock(client) };
  }
  if (DATABASE_URL !== undefined) {
    const { default: pg } = await import('pg');
    const { default: session } = await import('express-session');
    const { default: connectPgSimple } = await import('connect-pg-simple');
    const pool = new pg.Pool({ connectionString: DATABASE_URL });
    pool.on('error', (error) => process.stderr.write(`PostgreSQL: ${error}\n`));
    const PgStore = connectPgSimple(session);
    return { store: new PgStore({ pool, createTableIfMissing: true }), lock: postgresLock(pool) };
  }
  throw new Error('Set REDIS_URL=redis://127.0.0.1:6379 or DATABASE_URL=postgres://…');
}
