import { createHash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type { Dependencies } from '../dependencies.js';
import { allowCrossOrigin } from '../http/cors.js';
import { methodNotAllowed } from '../http/error-handler.js';
import { createOpenApiDocument } from './openapi-document.js';

const OPENAPI_PATH = '/openapi.json';

/** The description of the API, for programs and for people. Nothing in it is secret, so any origin may read it. */
export function referenceRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(OPENAPI_PATH)
    .all(allowCrossOrigin('GET'))
    .get(sendOpenApi(dependencies))
    .all(methodNotAllowed(dependencies, 'GET'));
  return router;
}

function sendOpenApi({ baseUrl }: Dependencies): RequestHandler {
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

/** Makes a value when it is first asked for, and keeps it: it is the same until the process ends. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
