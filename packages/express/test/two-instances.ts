import { latchkey } from '../src/index.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { type Shop, startShop } from './shop.js';

/** Address of the second instance's app. */
export const clubUrl = 'http://club.localhost:1';

/** Starts an app with two instances for two clients, and the shop whose service both use. */
export async function startTwoInstances(): Promise<{ base: Shop; shop: Shop }> {
  const base = await startShop();
  const shop = await startShop({
    beside: base,
    routes: (app, auth) => {
      const club = latchkey({
        serviceUrl: base.service.url,
        clientId: `oac_${'a'.repeat(24)}`,
        appUrl: clubUrl,
        mountPath: '/club',
        cookieSecret: COOKIE_SECRET,
        clock: base.clock,
        logger: { warn: () => {}, error: () => {} },
      });
      app.use(auth.router);
      app.use(club.router);
      app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) =>
        response.send('The table is set'),
      );
      app.get('/who', (request, response) => {
        response.json([auth.visitor(request).user?.email, club.visitor(request).user?.email]);
      });
      app.use(auth.requireSignIn());
    },
  });
  return { base, shop };
}
