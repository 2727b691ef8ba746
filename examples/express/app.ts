import { randomBytes } from 'node:crypto';
import { latchkey } from '@latchkey/express';
import express from 'express';

const { PORT = '4404', LATCHKEY_SERVICE_URL, LATCHKEY_CLIENT_ID, LATCHKEY_CLIENT_SECRET } = process.env;

const app = express();
const auth = latchkey({
  serviceUrl: LATCHKEY_SERVICE_URL ?? 'http://127.0.0.1:4400',
  clientId: LATCHKEY_CLIENT_ID ?? 'oac_e5e5e5e5e5e5e5e5e5e5e5e5',
  clientSecret: LATCHKEY_CLIENT_SECRET ?? `ocs_${'e5'.repeat(24)}`,
  appUrl: `http://localhost:${PORT}`,
  // Set a fixed secret to keep visitors signed in when the app restarts.
  cookieSecret: process.env.COOKIE_SECRET ?? randomBytes(32).toString('base64url'),
});
app.use(auth.router);

app.get('/', (request, response) => {
  response.send(
    request.latchkey?.signedIn
      ? '<a href="/members">Members</a> <form method="post" action="/auth/logout"><button>Sign out</button></form>'
      : '<a href="/auth/login?returnTo=/members">Sign in</a>',
  );
});

app.get('/members', auth.requireMembership({ productType: 'community' }), (request, response) => {
  response.type('text').send(`Welcome, ${request.latchkey?.user?.email}`);
});

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
