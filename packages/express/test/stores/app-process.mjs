// One process of an app that runs in several. Its parent sets the session store and the time.
import { latchkey, membershipDirectory, postgresLock, redisLock } from '@latchkey/express';
import express from 'express';

const { store, hasLock, now: startsAt, ...options } = JSON.parse(process.argv[2] ?? '{}');
let now = startsAt;
process.on('message', (message) => {
  now = message.now;
  process.send?.({ now });
});
process.once('disconnect', () => process.exit());

const COMMUNITY = '5eed0000-0000-4000-8000-0000000000c0';
/** Contains every membership, because sessions are tested here. */
const directory = membershipDirectory({
  find: async (ids) =>
    ids.map((membershipId) => ({
      membershipId,
      communityId: COMMUNITY,
      productId: null,
      pricingPlanId: null,
    })),
  record: async () => ({ kind: 'recorded' }),
  remove: async () => {},
  close: async () => {},
});

const opened = await openStore(store);
const silent = { warn() {}, error() {} };
const auth = latchkey({
  ...options,
  clock: { now: () => now },
  logger: silent,
  directory,
  session: { store: opened.store, ...(hasLock ? { lock: opened.lock } : {}), storeTimeoutMs: 10_000 },
});
const app = express();
app.use(auth.router);
app.get('/members', auth.requireMembership({ communityId: COMMUNITY }), (_request, response) => {
  response.send('The table is set');
});
app.get('/account', auth.requireSignIn(), (request, response) => {
  response.send(`Account of ${request.latchkey?.user?.sub}`);
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

async function openStore({ kind, url, prefix }) {
  if (kind === 'Redis') {
    const [{ createClient }, { RedisStore }] = await Promise.all([import('redis'), import('connect-redis')]);
    const client = await createClient({ url }).connect();
    return {
      store: new RedisStore({ client, prefix: `${prefix}sess:` }),
      lock: redisLock(client, { prefix: `${prefix}lock:` }),
    };
  }
  const [{ default: pg }, { default: connectPgSimple }, { default: session }] = await Promise.all([
    import('pg'),
    import('connect-pg-simple'),
    import('express-session'),
  ]);
  const pool = new pg.Pool({ connectionString: url });
  const PgStore = connectPgSimple(session);
  return { store: new PgStore({ pool, pruneSessionInterval: false }), lock: postgresLock(pool) };
}
