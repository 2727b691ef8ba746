import type { RouteContext } from '@latchkey/server';
import { methodNotAllowed } from '@latchkey/server/extension';
import { sendPage } from '@latchkey/server/ui';
import { type RequestHandler, type Response, Router } from 'express';
import type { ControlAccess } from '../control/control-routes.js';
import { CONSOLE_VIEWS, type ConsoleViewPage } from '../navigation/console-views.js';
import { ASSETS_PATH, consoleScript, readAsset } from './console-assets.js';
import { consolePage } from './console-page.js';
import { rulesPage } from './rules-page.js';

/** The pages of the console, its scripts, and the rules that it names. */
export function consoleRoutes(context: RouteContext, access: ControlAccess): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const view of CONSOLE_VIEWS) {
    router
      .route(`/sandbox/${view.name}`)
      .get(showView(context, access, view))
      .all(methodNotAllowed('GET'));
  }
  router
    .route('/sandbox/rules')
    .get((_request, response) => sendPage(response, rulesPage()))
    .all(methodNotAllowed('GET'));
  router.route(`${ASSETS_PATH}/:name`).get(sendAsset).all(methodNotAllowed('GET'));
  return router;
}

function showView(context: RouteContext, access: ControlAccess, view: ConsoleViewPage): RequestHandler {
  const { baseUrl, serviceNames, clock } = context;
  return async (_request, response) => {
    const script = await consoleScript();
    if (script === undefined) return notBuilt(response);
    const settings = {
      baseUrl,
      controlToken: access.shownToken ?? null,
      serviceNames,
      serviceTime: clock.now(),
    };
    const allowsFrames = view.framesPages === true;
    sendPage(response, consolePage({ view, settings, script }), { allowsScripts: true, allowsFrames });
  };
}

const sendAsset: RequestHandler<{ name: string }> = async ({ params }, response, next) => {
  const content = await readAsset(params.name);
  if (content === undefined) return next('router');
  response.set('Cache-Control', 'public, max-age=31536000, immutable').type('text/javascript').send(content);
};

function notBuilt(response: Response): void {
  response
    .status(503)
    .type('text/plain')
    .set('Cache-Control', 'no-store')
    .send('The console of @latchkey/sandbox is not built. Run "npm run build".\n');
}
