import { type EndpointName, type EndpointPaths, pathsOf } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import { apiKeyEndpoint } from './api-key.js';
import { authorize } from './authorize.js';
import { checkoutPage } from './checkout.js';
import { clientIdentity } from './client-identity.js';
import type { EndpointContext } from './endpoint-context.js';
import { memberships, products, userinfo } from './resources.js';
import { revoke } from './revoke.js';
import { token } from './token.js';

/** Returns the response of one endpoint. `parameters` are the decoded parameters of the path, in order. */
type Endpoint = (
  request: FakeRequest,
  context: EndpointContext,
  parameters: readonly string[],
) => Response | Promise<Response>;

const ENDPOINTS: Readonly<Record<EndpointName, readonly [method: 'GET' | 'POST', endpoint: Endpoint]>> = {
  authorize: ['GET', authorize],
  token: ['POST', token],
  revoke: ['POST', revoke],
  userinfo: ['GET', userinfo],
  memberships: ['GET', memberships],
  products: ['GET', products],
  clientIdentity: ['GET', clientIdentity],
  provisionExternal: ['POST', apiKeyEndpoint('provisionExternal')],
  inviteLink: ['GET', apiKeyEndpoint('inviteLink')],
  checkMessenger: ['GET', apiKeyEndpoint('checkMessenger')],
  buyPlan: ['POST', apiKeyEndpoint('buyPlan')],
  dropSignup: ['POST', apiKeyEndpoint('dropSignup')],
};

function routesOf(paths: EndpointPaths) {
  return Object.entries(ENDPOINTS).map(([name, [method, endpoint]]) => {
    const pattern = paths[name as EndpointName].replaceAll(/\{\w+\}/g, '([^/]+)');
    return { method, endpoint, pattern: new RegExp(`^${pattern}$`) };
  });
}

/** Returns the response of the endpoint that a request addresses, or undefined if there is none. */
export async function respondAtEndpoint(
  request: FakeRequest,
  context: EndpointContext,
): Promise<Response | undefined> {
  for (const { method, endpoint, pattern } of routesOf(pathsOf(context.names))) {
    const match = method === request.method ? pattern.exec(request.path) : null;
    if (match !== null) return await endpoint(request, context, match.slice(1).map(decodeURIComponent));
  }
  return checkoutPage(request, context);
}
