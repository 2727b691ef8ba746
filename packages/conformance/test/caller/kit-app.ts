import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isLatchkeyApiError, LatchkeyClient } from '@latchkey/client';
import { latchkey, memoryDirectory } from '@latchkey/express';
import express from 'express';
import type { CallerProfileInput } from '../../src/caller.js';

/** A running app. */
export interface RunningKitApp {
  readonly url: string;
  close(): void;
}

const SILENT = { debug() {}, warn() {}, error() {} };

/** A shop that is built from `@latchkey/express` and `@latchkey/client`, as their READMEs describe. */
export async function startKitApp(
  env: Readonly<Record<string, string>>,
  { isPublic = false }: { isPublic?: boolean } = {},
): Promise<RunningKitApp> {
  const app = express();
  const listener = app.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `http://localhost:${(listener.address() as AddressInfo).port}`;
  const communityId = env.LATCHKEY_COMMUNITY_ID ?? '';
  const directory = memoryDirectory();
  await directory.record({ membershipId: env.LATCHKEY_MEMBERSHIP_ID ?? '', communityId });
  const auth = latchkey({
    serviceUrl: env.LATCHKEY_SERVICE_URL ?? '',
    clientId: (isPublic ? env.LATCHKEY_PUBLIC_CLIENT_ID : env.LATCHKEY_CLIENT_ID) ?? '',
    ...(!isPublic && { clientSecret: env.LATCHKEY_CLIENT_SECRET ?? '' }),
    appUrl: url,
    cookieSecret: 'only for tests: at least 32 characters',
    directory,
    logger: SILENT,
  });
  const handled: string[] = [];
  app.all(
    '/webhooks',
    auth.webhooks({
      communities: { [communityId]: env.LATCHKEY_WEBHOOK_SECRET ?? '' },
      other: ({ id, type }) => void handled.push(`${id} ${type}`),
    }),
  );
  app.use(auth.router);
  app.get('/', (_request, response) => response.send('A shop'));
  app.get('/handled', (_request, response) => response.type('text').send(handled.join('\n')));
  app.get('/members', auth.requireMembership({ communityId }), (_request, response) =>
    response.send('Welcome'),
  );
  app.get('/account', auth.requireSignIn(), (request, response) => {
    response.type('text').send(request.latchkey?.user?.sub);
  });
  addShop(app, { env, url });
  return {
    url,
    close() {
      listener.close();
      listener.closeAllConnections();
    },
  };
}

/** Routes that call the service with the API key. */
function addShop(app: express.Express, { env, url }: { env: Readonly<Record<string, string>>; url: string }) {
  const communityId = env.LATCHKEY_COMMUNITY_ID ?? '';
  const service = new LatchkeyClient({
    serviceUrl: env.LATCHKEY_SERVICE_URL ?? '',
    apiKey: env.LATCHKEY_API_KEY ?? '',
    retryDelayMs: 100,
    logger: SILENT,
  });
  const orders = new Map<string, string>();
  const reports: string[] = [];
  app.use(express.json());
  app.post('/orders', async (request, response) => {
    const { id, email, messengerUserId } = request.body;
    const order = { communityId, externalOrderId: `shop-${id}`, email, messengerUserId };
    const { membershipId } = await service.provisionExternal(order);
    orders.set(id, membershipId);
    response.json({ membershipId });
  });
  app.get('/orders/:id', (request, response) =>
    response.json({ membershipId: orders.get(request.params.id) }),
  );
  app.get('/active/:messengerUserId', async (request, response) => {
    const messengerUserId = Number(request.params.messengerUserId);
    const { isActive } = await service.checkMessenger({ communityId, messengerUserId });
    response.json({ isActive });
  });
  app.post('/checkout', async (request, response) => {
    const { checkoutUrl } = await service.buyPlan({
      communityId,
      pricingPlanId: env.LATCHKEY_PRICING_PLAN_ID ?? '',
      externalId: request.body.buyer,
      email: request.body.email,
      successUrl: `${url}/thanks`,
      cancelUrl: `${url}/cart`,
    });
    response.redirect(303, checkoutUrl);
  });
  app.get('/thanks', (_request, response) => response.send('We are waiting for the payment.'));
  app.get('/invite/:buyer', async (request, response) => {
    const { link } = await service.inviteLink({ externalId: request.params.buyer });
    response.json({ link });
  });
  app.post('/drop', async (request, response) => {
    const { signedUp } = await service.dropSignup({ communityId, email: request.body.email });
    response.json({ signedUp });
  });
  app.get('/failures', (_request, response) => response.type('text').send(reports.join('\n\n')));
  app.use(((error, _request, response, next) => {
    if (!isLatchkeyApiError(error)) return next(error);
    reports.push(error.report);
    const isMissingMember = error.status === 401 && error.errorCode === 'unauthorized';
    if (isMissingMember) return response.status(403).send('Buy a membership.');
    return response.status((error.status ?? 500) >= 500 ? 503 : 502).send('The shop is not available.');
  }) satisfies express.ErrorRequestHandler);
}

/** Profile of the shop. */
export function kitProfile(app: string): CallerProfileInput {
  return {
    name: 'kit',
    app,
    webhook: '/webhooks',
    actions: {
      provision: {
        request: 'POST /orders',
        json: { id: '{orderId}', email: '{email}', messengerUserId: '{messengerUserId}' },
      },
      storedMembership: { request: 'GET /orders/{orderId}' },
      checkMessenger: { request: 'GET /active/{messengerUserId}' },
      checkout: { request: 'POST /checkout', json: { email: '{email}', buyer: '{externalId}' } },
      inviteLink: { request: 'GET /invite/{externalId}' },
      dropSignup: { request: 'POST /drop', json: { email: '{email}' } },
      signIn: { request: 'GET /auth/login' },
      protectedPage: { request: 'GET /members' },
      account: { request: 'GET /account' },
      signOut: { request: 'POST /auth/logout' },
      handledEvents: { request: 'GET /handled' },
      failureReport: { request: 'GET /failures', audience: 'developers' },
    },
    // The kit pauses for five seconds after a refresh that failed.
    timing: { retryWithinSeconds: 10, quietSeconds: 0 },
  };
}
