import type { RouteContext } from '@latchkey/server';
import { findSignedInUser, listClients, methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import { sendAsset, sendPage } from '@latchkey/server/ui';
import { type RequestHandler, Router } from 'express';
import type { ControlAccess } from '../control/control-routes.js';
import { sandboxValues } from '../integration/sandbox-values.js';
import { snippetsFor } from '../integration/snippets.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { listSandboxPeople } from '../people/sandbox-people.js';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { sandboxScenario } from '../scenario/sandbox-scenario.js';
import { SANDBOX_STYLESHEET } from '../styles/sandbox-stylesheet.js';
import type { LastMove } from './clock-routes.js';
import { homePage } from './home-page.js';
import { readWalkthrough } from './walkthrough-progress.js';

const SHOWN_CLIENTS = 50;

/** Parts of the sandbox that the front page shows. */
interface HomeParts {
  readonly guide: SandboxGuide;
  readonly last: LastMove;
  readonly access: ControlAccess;
}

/** The sandbox's front page, its script, the stylesheet of all its pages, and the stream that notifies the script of changes. */
export function homeRoutes(context: RouteContext, parts: HomeParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/sandbox').get(showHome(context, parts)).all(methodNotAllowed('GET'));
  router.route('/sandbox/changes').get(sendChanges(parts.access)).all(methodNotAllowed('GET'));
  for (const asset of [LIVE_SCRIPT, SANDBOX_STYLESHEET]) router.get(asset.path, sendAsset(asset));
  return router;
}

function showHome(context: RouteContext, { guide, last, access }: HomeParts): RequestHandler {
  const { db, clock, baseUrl, serviceNames } = context;
  const { control } = access.connected;
  return async (request, response) => {
    const asked = requestQuery(request).get('clock');
    const hasSampleData = await isSeeded(context);
    const controlToken = access.shownToken;
    const page = homePage({
      progress: await readWalkthrough({ db, requests: control.requests, now: clock.now() }),
      ...(guide.demo && { demo: guide.demo }),
      serviceTime: clock.now(),
      presets: await control.clock.presets(),
      activeFaults: control.faults
        .list()
        .filter(({ times, changed }) => times === undefined || changed < times).length,
      values: sandboxValues({ baseUrl, serviceNames, controlToken, hasSampleData }),
      snippets: hasSampleData ? snippetsFor(baseUrl, serviceNames) : [],
      people: await listSandboxPeople(db, guide),
      signedInAs: (await findSignedInUser(context, request))?.email ?? undefined,
      clients: await listClients(db, SHOWN_CLIENTS),
      shops: guide.shops,
      forSale: guide.forSale,
      isPublic: controlToken === undefined,
      moved: asked === 'moved' ? last.move : undefined,
      refused: asked === 'refused',
    });
    sendPage(response, page, { allowsScripts: true });
  };
}

/** The stream needs no token: its messages have no content, and requests of other sites are rejected. */
function sendChanges({ stream }: ControlAccess): RequestHandler {
  return (request, response) => {
    const site = request.get('Sec-Fetch-Site') ?? 'same-origin';
    if (site !== 'same-origin') return void response.status(403).end();
    response.set('Cache-Control', 'no-store');
    stream.sendChanges(response);
  };
}

async function isSeeded({ db }: RouteContext): Promise<boolean> {
  const client = await db
    .selectFrom('oauth_clients')
    .select('client_id')
    .where('client_id', '=', sandboxScenario.publicClient.clientId)
    .executeTakeFirst();
  return client !== undefined;
}
