// One instance of the app. Any number of instances can run, because they share the session store.
import process from 'node:process';
import { latchkey, sqliteDirectory } from '@latchkey/express';
import express from 'express';
import { openSessions } from './sessions.ts';

const {
  PORT = '4404',
  INSTANCE = '1',
  LATCHKEY_SERVICE_URL,
  LATCHKEY_CLIENT_ID,
  LATCHKEY_CLIENT_SECRET,
  // All instances need the same secret. start.ts creates one for the instances that it starts.
  COOKIE_SECRET,
  NODE_ENV,
} = process.env;
if (NODE_ENV === 'production' && !(COOKIE_SECRET && LATCHKEY_CLIENT_SECRET)) {
  throw new Error('Set COOKIE_SECRET and LATCHKEY_CLIENT_SECRET. The secrets of the sandbox are public.');
}

// The community of the sandbox, and its member Ada.
const communityId = process.env.LATCHKEY_COMMUNITY_ID ?? '5eed0000-0000-4000-8000-0000000000c0';
const adasMembershipId = '5eed0000-0000-4000-8000-0000000000a1';

const app = express();
const auth = latchkey({
  serviceUrl: LATCHKEY_SERVICE_URL ?? 'http://127.0.0.1:4400',
  clientId: LATCHKEY_CLIENT_ID ?? 'oac_e5e5e5e5e5e5e5e5e5e5e5e5',
  clientSecret: LATCHKEY_CLIENT_SECRET ?? `ocs_${'e5'.repeat(24)}`,
  // The address of the load balancer, which is the same for all instances.
  appUrl: `http://localhost:${PORT}`,
  cookieSecret: COOKIE_SECRET ?? '',
  session: await openSessions(),
  // Instances that receive webhooks share a file, or use redisDirectory or postgresDirectory.
  directory: sqliteDirectory(process.env.MEMBERSHIPS_FILE ?? ':memory:'),
});
await auth.directory.record({ membershipId: adasMembershipId, communityId });
app.use(auth.router);

app.get('/', (request, response) => {
  response.send(
    request.latchkey?.signedIn
      ? '<a href="/members">Members</a> <form method="post" action="/auth/logout"><button>Sign out</button></form>'
      : '<a href="/auth/login?returnTo=/members">Sign in</a>',
  );
});

app.get('/members', auth.requireMembership({ communityId }), (request, response) => {
  response.type('text').send(`Welcome, ${request.latchkey?.user?.email}, from instance ${INSTANCE}`);
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.(address?.port);
});
process.once('disconnect', () => process.exit());
