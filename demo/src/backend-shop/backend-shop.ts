import { randomBytes } from 'node:crypto';
import { LatchkeyClient } from '@latchkey/client';
import { latchkey, sqliteDirectory } from '@latchkey/express';
import { sandboxApiKeyOf, sandboxScenario } from '@latchkey/sandbox';
import type { Clock, RunningServer } from '@latchkey/server';
import express, { type Express, type Request } from 'express';
import { publicFolder } from '../public-folder.js';
import { shopHeaders } from '../shop-headers.js';
import { forbiddenPage } from './forbidden-page.js';
import { homePage } from './home-page.js';
import { joinPlan } from './join-plan.js';
import { roastLog, thisWeeksLot } from './roast-log.js';
import type { PageFrame } from './shop-layout.js';
import { SHOP_WEBHOOKS } from './shop-webhooks.js';
import { tablePage } from './table-page.js';

/** Addresses of the shop and its neighbors, and the shop's clock. */
export interface BackendShopOptions {
  serviceUrl: string;
  /** The shop's origin, as browsers see it. */
  shopUrl: string;
  scriptTagShopUrl: string;
  clock: Clock;
  serviceNames: RunningServer['serviceNames'];
  quiet: boolean;
}

const silent = { warn: () => {}, error: () => {} };

/** The shop with a backend. The kit signs visitors in, stores the session and gates the members' page. */
export function backendShop(options: BackendShopOptions): Express {
  const { serviceUrl, shopUrl, scriptTagShopUrl, clock, serviceNames, quiet } = options;
  const { clientId, clientSecret } = sandboxScenario.confidentialClient;
  const { community, products, memberships, plans } = sandboxScenario;

  const frame = (request: Request, title: string): PageFrame => ({
    places: { serviceUrl, scriptTagShopUrl, clientId },
    title: `${title} · Ember & Oak`,
    path: request.path,
    signedInAs: request.latchkey?.signedIn ? (request.latchkey.user?.email ?? 'a friend') : undefined,
  });

  const auth = latchkey({
    serviceUrl,
    serviceNames,
    clientId,
    clientSecret,
    appUrl: shopUrl,
    // A new secret at every start. The sandbox's data is new too, so older sessions would be invalid anyway.
    cookieSecret: randomBytes(32).toString('base64url'),
    clock,
    // The service of the demo keeps its data in memory too.
    directory: sqliteDirectory(':memory:'),
    upgradeUrl: '/#join',
    ...(quiet && { logger: silent }),
    pages: {
      forbidden: (request, response, { user }) => {
        response.send(forbiddenPage(frame(request, 'For members'), user.email));
      },
    },
  });
  const members = { communityId: community.id };
  // The members of the sandbox. They became members before the shop received events.
  const recorded = auth.directory.record([
    { membershipId: memberships.adaCommunity.id, communityId: community.id, pricingPlanId: plans.monthly.id },
    { membershipId: memberships.adaProduct.id, productId: products.brewGuide.id },
    { membershipId: memberships.cleoCommunity.id, communityId: community.id },
  ]);

  const app = express();
  app.disable('x-powered-by');
  app.use(shopHeaders(serviceUrl, { hasBackend: true }));
  app.use('/assets', express.static(publicFolder('assets')));
  app.use(express.static(publicFolder('backend'), { index: false }));
  app.use((_request, _response, next) => {
    recorded.then(() => next(), next);
  });
  const [club, ...goods] = SHOP_WEBHOOKS;
  app.all(
    '/webhooks',
    auth.webhooks({
      communities: { [club.subject.communityId]: club.secret },
      products: Object.fromEntries(goods.map(({ subject, secret }) => [subject.productId, secret])),
    }),
  );
  app.use(auth.router);
  const client = new LatchkeyClient({ serviceUrl, serviceNames, apiKey: sandboxApiKeyOf(serviceNames) });
  app.use(auth.checkout({ client, plans: [joinPlan] }));

  app.get('/', (request, response) => {
    response.set('Cache-Control', 'no-store').send(homePage(frame(request, 'The club')));
  });
  app.get('/table', auth.requireMembership(members), async (request, response) => {
    const memberships = (await request.latchkey?.memberships()) ?? [];
    response
      .set('Cache-Control', 'no-store')
      .send(tablePage(frame(request, 'The Roaster’s Table'), memberships));
  });
  app.get('/api/table', auth.requireMembership(members, { respond: 'json' }), (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ lot: thisWeeksLot, roastLog });
  });
  return app;
}
