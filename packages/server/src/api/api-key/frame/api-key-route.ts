import type { SuccessData } from '@latchkey/contract';
import type { RequestHandler, Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { nameRoute } from '../../../platform/http/named-route.js';
import { type ApiKeyCall, type ApiKeyEndpoint, checkRequest } from './check-request.js';
import { type EndpointResult, sendResult } from './endpoint-result.js';
import { pathTemplate } from './path-parameters.js';

/** Handles a request that passed every check. */
export type ApiKeyHandler<E extends ApiKeyEndpoint> = (
  call: ApiKeyCall<E>,
) => Promise<EndpointResult<SuccessData<E>>>;

/** Adds the route of one endpoint to a router. A router for each endpoint would cost time at every request. */
export type AddApiKeyRoute = (router: Router) => void;

/**
 * Describes the route of one endpoint that takes an API key. Other methods get 405. The route sets no CORS headers, because
 * a key must never be in a browser, and limits no rate. {@link checkRequest} lists the checks.
 */
export function apiKeyRoute<E extends ApiKeyEndpoint>(
  needs: Needs<'db' | 'logUrl' | 'serviceNames'>,
  endpoint: E,
  handler: ApiKeyHandler<E>,
): AddApiKeyRoute {
  const template = pathTemplate(endpoint.path);
  const handle: RequestHandler = async (request, response) => {
    nameRoute(response, endpoint.path);
    const checked = await checkRequest(needs, { endpoint, template }, { request, response });
    const result = checked.kind === 'valid' ? await handler(checked.call) : checked;
    sendResult(needs, { request, response }, { result, successStatus: endpoint.success.status });
  };
  return (router) => {
    const route = router.route(template.matcher);
    if (endpoint.method === 'GET') route.get(handle);
    else route.post(handle);
    const reject = methodNotAllowed(endpoint.method);
    route.all((request, response, next) => {
      nameRoute(response, endpoint.path);
      reject(request, response, next);
    });
  };
}
