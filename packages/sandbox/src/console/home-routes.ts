import type { RouteContext } from '@latchkey/server';
import { findSignedInUser, listClients, methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import { sendPage } from '@latchkey/server/ui';
import { type RequestHandler, Router } from 'express';
import { CLOCK_STEPS } from '../clock/clock-routes.js';
import { listSandboxPeople } from '../people/sandbox-people.js';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { homePage } from './home-page.js';

/** Number of clients on the home page. */
const SHOWN_CLIENTS = 50;

/** The sandbox's home page. */
export function homeRoutes(context: RouteContext, guide: SandboxGuide): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/sandbox').get(showHome(context, guide)).all(methodNotAllowed('GET'));
  return router;
}

function showHome(context: RouteContext, guide: SandboxGuide): RequestHandler {
  const { db, clock } = context;
  return async (request, response) => {
    const page = homePage({
      serviceTime: clock.now(),
      people: await listSandboxPeople(db, guide),
      signedInAs: (await findSignedInUser(context, request))?.email ?? undefined,
      clients: await listClients(db, SHOWN_CLIENTS),
      shops: guide.shops,
      forSale: guide.forSale,
      notice: CLOCK_STEPS.get(requestQuery(request).get('advanced') ?? '')?.notice,
    });
    sendPage(response, page);
  };
}
