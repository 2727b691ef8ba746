import { createHash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { allowCrossOrigin } from '../../platform/http/cors.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { sendPage } from '../../web/ui/send-page.js';
import { createOpenApiDocument } from './openapi-document.js';
import { referencePage } from './reference-page.js';
import { referenceViewerPage } from './reference-viewer-page.js';
import { findViewerFiles, type ViewerFiles } from './viewer-files.js';
import { VIEWER_SCRIPT, VIEWER_SCRIPT_PATH } from './viewer-script.js';

interface ReferenceRoutesNeeds {
  readonly baseUrl: string;
  readonly sandbox: Sandbox | undefined;
}

const OPENAPI_PATH = '/openapi.json';
const REFERENCE_PATH = '/reference';
const VIEWER_PATH = '/reference/try';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The viewer runs its own scripts only, and calls this service only. */
const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The description of the API, for programs and for people. Nothing in it is secret, so any origin may read it. */
export function referenceRoutes(needs: ReferenceRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(OPENAPI_PATH)
    .all(allowCrossOrigin('GET'))
    .get(sendOpenApi(needs))
    .all(methodNotAllowed('GET'));
  router.route(REFERENCE_PATH).get(sendReference(needs)).all(methodNotAllowed('GET'));
  const viewer = once(findViewerFiles);
  router.route(VIEWER_PATH).get(sendViewer(needs, viewer)).all(methodNotAllowed('GET'));
  router.get(VIEWER_SCRIPT_PATH, (_request, response) => {
    response.set('Cache-Control', IMMUTABLE).type('text/javascript').send(VIEWER_SCRIPT);
  });
  router.get(/^\/assets\/swagger-ui-/, sendViewerFile(viewer));
  return router;
}

function sendOpenApi({ baseUrl }: ReferenceRoutesNeeds): RequestHandler {
  const document = once(() => {
    const text = JSON.stringify(createOpenApiDocument({ baseUrl }));
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
  });
  return (_request, response) => {
    const { text, tag } = document();
    // Express answers 304 by itself to whoever has this very text.
    response.set({ ETag: tag, 'Cache-Control': 'public, no-cache' }).type('json').send(text);
  };
}

function sendReference({ baseUrl, sandbox }: ReferenceRoutesNeeds): RequestHandler {
  const document = once(() => createOpenApiDocument({ baseUrl }));
  return (_request, response) => {
    const html = referencePage({
      document: document(),
      documentHref: OPENAPI_PATH,
      viewerHref: VIEWER_PATH,
      canTry: sandbox !== undefined,
      apiKey: sandbox?.guide.apiKey,
    });
    sendPage(response, html);
  };
}

function sendViewer({ sandbox }: ReferenceRoutesNeeds, viewer: () => ViewerFiles): RequestHandler {
  return (_request, response) => {
    const { scriptPath, stylesheetPath } = viewer();
    const html = referenceViewerPage({
      referenceHref: REFERENCE_PATH,
      documentHref: OPENAPI_PATH,
      scripts: [scriptPath, VIEWER_SCRIPT_PATH],
      stylesheet: stylesheetPath,
      canTry: sandbox !== undefined,
      apiKey: sandbox?.guide.apiKey,
    });
    response
      .set({
        'Content-Security-Policy': VIEWER_POLICY,
        'Referrer-Policy': 'same-origin',
        'Cache-Control': 'no-store',
      })
      .type('html')
      .send(html);
  };
}

function sendViewerFile(viewer: () => ViewerFiles): RequestHandler {
  return (request, response, next) => {
    const file = viewer().files.get(request.path);
    if (file === undefined) return next();
    response.set('Cache-Control', IMMUTABLE).sendFile(file, { cacheControl: false, dotfiles: 'allow' });
  };
}

/** Makes a value when it is first asked for, and keeps it: it is the same until the process ends. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
