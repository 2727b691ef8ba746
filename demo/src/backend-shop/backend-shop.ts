import { randomBytes } from 'node:crypto';
import { latchkey } from '@latchkey/express';
import { type Clock, sandboxScenario } from '@latchkey/server';
import express, { type Express, type Request } from 'express';
import { publicFolder } from '../public-folder.js';
import { shopHeaders } from '../shop-headers.js';
import { forbiddenPage } from './forbidden-page.js';
import { homePage } from './home-page.js';
import { roastLog, thisWeeksLot } from './roast-log.js';
import type { PageFrame } from './shop-layout.js';
import { tablePage } from './table-page.js';

/** Where the shop and its neighbours run, and what it takes the time from. */
export interface BackendShopOptions {
  serviceUrl: string;
  /** The shop's own origin, as browsers see it. */
  shopUrl: string;
  scriptTagShopUrl: string;
  clock: Clock;
  quiet: boolean;
}

const silent = { warn: () => {}, error: () => {} };

/** The shop with a backend: the kit signs people in, keeps the session and guards the members' page. */
export function backendShop(options: BackendShopOptions): Express {
  const { serviceUrl, shopUrl, scriptTagShopUrl, clock, quiet } = options;
  const { clientId, clientSecret } = sandboxScenario.confidentialClient;

  const frame = (request: Request, title: string): PageFrame => ({
    places: { serviceUrl, scriptTagShopUrl, clientId },
    title: `${title} · Ember & Oak`,
    path: request.path,
    signedInAs: request.latchkey?.signedIn ? (request.latchkey.user?.email ?? 'a friend') : undefined,
  });

  const auth = latchkey({
    serviceUrl,
    clientId,
    clientSecret,
    appUrl: shopUrl,
    // New at every start, like the sandbox's own data: a session of an earlier run would mean nothing to it.
    cookieSecret: randomBytes(32).toString('base64url'),
    clock,
    ...(quiet && { logger: silent }),
    pages: {
      forbidden: (request, response, { user }) => {
        response.send(forbiddenPage(frame(request, 'For members'), user.email));
      },
    },
  });
  const members = { productType: 'community' };

  const app = express();
  app.disable('x-powered-by');
  app.use(shopHeaders(serviceUrl, { hasBackend: true }));
  app.use('/assets', express.static(publicFolder('assets')));
  app.use(express.static(publicFolder('backend'), { index: false }));
  app.use(auth.router);

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
