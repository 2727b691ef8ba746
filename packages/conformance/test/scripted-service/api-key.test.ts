import { ENDPOINTS, rejectionSchemas } from '@latchkey/contract';
import { expect, it } from 'vitest';
import { createFakeService, fakeFetch } from '../../src/scripted-service-browser.js';

const fetch = fakeFetch(createFakeService());
const send = (method: string, path: string, authorization = 'Bearer svc_test') =>
  fetch(`https://service.example${path}`, { method, headers: { authorization } });

it.each([
  ['POST', '/membership/provision-external', ENDPOINTS.provisionExternal.success.body, 200],
  ['GET', '/membership/join-messenger-community-external/order%2F7', ENDPOINTS.inviteLink.success.body, 200],
  ['GET', '/membership/check-messenger/c/7', ENDPOINTS.checkMessenger.success.body, 200],
  ['POST', '/api/checkout/buy-plan', ENDPOINTS.buyPlan.success.body, 201],
  ['POST', '/api/drop-notification/signup', ENDPOINTS.dropSignup.success.body, 201],
] as const)('%s %s returns what the contract describes', async (method, path, views, status) => {
  const response = await send(method, path);
  expect(response.status).toBe(status);
  expect(views.strict.safeParse(await response.json())).toMatchObject({ success: true });
});

it('rejects a request without an API key before its endpoint', async () => {
  const response = await send('GET', '/membership/check-messenger/c/7', 'Bearer other');
  expect(response.status).toBe(401);
  expect(rejectionSchemas.strict.safeParse(await response.json())).toMatchObject({ success: true });
});

it('rejects a path that the API does not have', async () => {
  expect((await send('GET', '/nothing')).status).toBe(404);
});
