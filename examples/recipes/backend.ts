// The backend of the recipes: it signs visitors in, keeps their session, and knows whose membership a membership is.
import { randomBytes } from 'node:crypto';
import { latchkey, sqliteDirectory } from '@latchkey/express';
import express from 'express';

const {
  PORT = '4405',
  PAGE_URL = 'http://localhost:4403',
  LATCHKEY_SERVICE_URL: serviceUrl = 'http://127.0.0.1:4400',
  // The community of the sandbox, and the secret that signs its events. It is public, so the kit accepts it on this machine only.
  LATCHKEY_COMMUNITY_ID: communityId = '5eed0000-0000-4000-8000-0000000000c0',
  LATCHKEY_WEBHOOK_SECRET: webhookSecret = '5eed00f1'.repeat(8),
} = process.env;

const app = express();
const auth = latchkey({
  serviceUrl,
  clientId: 'oac_5c5c5c5c5c5c5c5c5c5c5c5c',
  appUrl: PAGE_URL,
  cookieSecret: process.env.COOKIE_SECRET ?? randomBytes(32).toString('base64url'),
  directory: sqliteDirectory(process.env.MEMBERSHIPS_FILE ?? ':memory:'),
});
// Ada became a member before this backend received events.
await auth.directory.record({ membershipId: '5eed0000-0000-4000-8000-0000000000a1', communityId });

app.all('/webhooks', auth.webhooks({ communities: { [communityId]: webhookSecret } }));
app.use(auth.router);
app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${PORT}\n`));
