import { randomBytes } from 'node:crypto';
import { latchkey, sqliteDirectory } from '@latchkey/express';
import express from 'express';

const { PORT = '4404', LATCHKEY_SERVICE_URL, LATCHKEY_CLIENT_ID, LATCHKEY_CLIENT_SECRET } = process.env;
// The community of the sandbox, and its member Ada.
const communityId = process.env.LATCHKEY_COMMUNITY_ID ?? '5eed0000-0000-4000-8000-0000000000c0';
const adasMembershipId = '5eed0000-0000-4000-8000-0000000000a1';

const app = express();
const auth = latchkey({
  serviceUrl: LATCHKEY_SERVICE_URL ?? 'http://127.0.0.1:4400',
  clientId: LATCHKEY_CLIENT_ID ?? 'oac_e5e5e5e5e5e5e5e5e5e5e5e5',
  clientSecret: LATCHKEY_CLIENT_SECRET ?? `ocs_${'e5'.repeat(24)}`,
  appUrl: `http://localhost:${PORT}`,
  // Which memberships belong to this site. Pass a file name to keep them over a restart.
  directory: sqliteDirectory(process.env.MEMBERSHIPS_FILE ?? ':memory:'),
  // Set a fixed secret to keep visitors signed in when the app restarts.
  cookieSecret: process.env.COOKIE_SECRET ?? randomBytes(32).toString('base64url'),
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
  response.type('text').send(`Welcome, ${request.latchkey?.user?.email}`);
});

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
