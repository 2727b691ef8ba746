import { createHash } from 'node:crypto';
import type { ServiceNames } from '@latchkey/contract/constants';
import { type RequestHandler, Router } from 'express';
import { allowCrossOrigin } from '../../platform/http/cors.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { type Site, siteOf } from '../ui/frame/site.js';
import type { ApiReferenceOptions } from './api-reference-options.js';
import { createOpenApiDocument } from './openapi-document.js';
import { referencePage } from './reference-page.js';
import { findViewerFiles, type ViewerFiles } from './viewer-files.js';
import { VIEWER_SCRIPT, VIEWER_SCRIPT_PATH } from './viewer-script.js';

interface ReferenceRoutesNeeds {
  readonly baseUrl: string;
  readonly serviceNames: ServiceNames;
  readonly apiReference: ApiReferenceOptions;
  readonly site: Site;
}

const OPENAPI_PATH = '/openapi.json';
const REFERENCE_PATH = '/reference';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Allows scripts and requests of this service only. The operator can host the service's logo anywhere. */
const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the API's description to programs and people. It contains no secret, so every origin may read it. */
export function referenceRoutes(needs: ReferenceRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(OPENAPI_PATH)
    .all(allowCrossOrigin('GET'))
    .get(sendOpenApi(needs))
    .all(methodNotAllowed('GET'));
  const viewer = once(findViewerFiles);
  router.route(REFERENCE_PATH).get(sendReference(needs, viewer)).all(methodNotAllowed('GET'));
  router.get(VIEWER_SCRIPT_PATH, (_request, response) => {
    response.set('Cache-Control', IMMUTABLE).type('text/javascript').send(VIEWER_SCRIPT);
  });
  router.get(/^\/assets\/swagger-ui-/, sendViewerFile(viewer));
  return router;
}

function sendOpenApi({ baseUrl, serviceNames, site }: ReferenceRoutesNeeds): RequestHandler {
  const document = once(() => {
    const text = JSON.stringify(createOpenApiDocument({ baseUrl, serviceNames, brandName: site.brand.name }));
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
  });
  return (_request, response) => {
    const { text, tag } = document();
    // Express answers 304 when the tag matches.
    response.set({ ETag: tag, 'Cache-Control': 'public, no-cache' }).type('json').send(text);
  };
}

function sendReference({ apiReference }: ReferenceRoutesNeeds, viewer: () => ViewerFiles): RequestHandler {
  return (_request, response) => {
    const { scriptPath, stylesheetPath } = viewer();
    const page = referencePage({
      documentHref: OPENAPI_PATH,
      scripts: [scriptPath, VIEWER_SCRIPT_PATH],
      stylesheet: stylesheetPath,
      canTry: apiReference.tryIt ?? false,
      apiKey: apiReference.apiKey,
    });
    response
      .set({
        'Content-Security-Policy': VIEWER_POLICY,
        'Referrer-Policy': 'same-origin',
        'Cache-Control': 'no-store',
      })
      .type('html')
      .send(page(siteOf(response)));
  };
}

function sendViewerFile(viewer: () => ViewerFiles): RequestHandler {
  return (request, response, next) => {
    const file = viewer().files.get(request.path);
    if (file === undefined) return next();
    response.set('Cache-Control', IMMUTABLE).sendFile(file, { cacheControl: false, dotfiles: 'allow' });
  };
}

/** Caches the value of the first call. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
