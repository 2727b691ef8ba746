import type { RequestHandler } from 'express';

/** Maximum age of a cached preflight, in seconds. Browsers enforce lower limits. */
const PREFLIGHT_MAX_AGE_SECONDS = 24 * 3600;

/** The endpoint must authenticate by the body or the Authorization header, never by the browser's session. */
export function allowCrossOrigin(method: 'GET' | 'POST'): RequestHandler {
  return (request, response, next) => {
    response.set('Access-Control-Allow-Origin', '*');
    if (request.method !== 'OPTIONS' || request.get('Access-Control-Request-Method') === undefined)
      return next();
    response
      .status(204)
      .set('Access-Control-Allow-Methods', method)
      .set('Access-Control-Allow-Headers', 'Authorization, Content-Type')
      .set('Access-Control-Max-Age', `${PREFLIGHT_MAX_AGE_SECONDS}`)
      .end();
  };
}
