// Run by node:test in its own process, like the tests of an app. See other-runners.test.ts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { latchkey, memoryDirectory } from '@latchkey/express';
import { createTestService, exampleEvent, signWebhook } from '@latchkey/express/testing';
import express from 'express';

const secret = 'ab'.repeat(32);
const communityId = '5eed0000-0000-4000-8000-0000000000c0';
const service = createTestService();
const auth = latchkey({
  serviceUrl: 'https://service.example',
  clientId: `oac_${'a'.repeat(24)}`,
  appUrl: 'https://shop.example',
  cookieSecret: 'a secret of the tests, of more than 32 characters',
  directory: memoryDirectory(),
  logger: { warn() {}, error() {} },
  fetch: service.fetch,
});
let server;
let url;

before(async () => {
  const app = express();
  app.use(auth.router);
  app.get('/members', auth.requireMembership({ communityId }), (_request, response) => {
    response.send('The table is set');
  });
  app.all('/webhooks', auth.webhooks({ communities: { [communityId]: secret } }));
  await new Promise((listening) => {
    server = app.listen(0, '127.0.0.1', listening);
  });
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

test('admits a member', async () => {
  const ada = await service.signIn(auth, { memberships: [{ communityId }] });
  assert.equal((await fetch(`${url}/members`, { headers: ada.headers })).status, 200);
});

test('receives a webhook', async () => {
  const signed = signWebhook(exampleEvent('payment.success', { communityId }), { secret });
  assert.equal((await fetch(`${url}/webhooks`, signed)).status, 200);
});
