import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import type { Dependencies } from '../dependencies.js';
import { methodNotAllowed } from '../http/error-handler.js';
import { sendPage } from '../http/page-response.js';
import { messagePage, widgetCallbackPage } from '../pages/index.js';

/** How long a copy of a script may be used unasked. The sandbox's scripts are rebuilt while somebody works on them. */
const SCRIPT_CACHING = 'public, max-age=600';

/** Strict enough for a page that holds a code: its own script and style, its own service, nothing else. */
const CALLBACK_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The widget's two built scripts, and the page that its popup lands on. */
export function widgetRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const file of ['latchkey.js', 'callback.js']) {
    router
      .route(`/widget/${file}`)
      .get(sendScript(dependencies, file))
      .all(methodNotAllowed(dependencies, 'GET'));
  }
  router
    .route('/widget/callback/:clientId')
    .get(showCallback(dependencies))
    .all(methodNotAllowed(dependencies, 'GET'));
  return router;
}

function sendScript({ widgetDirectory, sandbox }: Dependencies, file: string): RequestHandler {
  const caching = sandbox === undefined ? SCRIPT_CACHING : 'no-cache';
  return async (_request, response) => {
    const path = widgetDirectory && join(widgetDirectory, file);
    if (path === undefined || !(await isReadable(path))) {
      response
        .status(503)
        .type('text/plain')
        .set('Cache-Control', 'no-store')
        .send(
          `${file} of @latchkey/widget is not built. Run "npm run build", or set the option widgetAssets.\n`,
        );
      return;
    }
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': caching,
    });
    response.type('text/javascript').sendFile(path, { cacheControl: false, dotfiles: 'allow' });
  };
}

function showCallback({ stores, baseUrl, sandbox }: Dependencies): RequestHandler<{ clientId: string }> {
  return async (request, response) => {
    const client = await stores.clients.find(request.params.clientId);
    if (client === undefined) {
      const html = messagePage({
        title: 'No such app',
        text: 'The address names an app that is not registered here.',
        sandbox: sandbox !== undefined,
      });
      return sendPage(response, html, { status: 404 });
    }
    const { clientId, name } = client;
    response
      .set({
        'Content-Security-Policy': CALLBACK_POLICY,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      })
      .type('html')
      .send(widgetCallbackPage({ clientId, baseUrl, clientName: name, sandbox: sandbox !== undefined }));
  };
}

async function isReadable(path: string): Promise<boolean> {
  return await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
