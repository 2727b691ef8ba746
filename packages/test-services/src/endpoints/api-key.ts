import type { Permission } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import type { ApiKeyEndpointName } from '../reading/api-key-data.js';
import { rejectKey } from './api-key-access.js';
import { buyPlan } from './checkout.js';
import { dropSignup } from './drop-signup.js';
import type { EndpointContext } from './endpoint-context.js';
import { checkMessenger, inviteLink } from './messenger.js';
import { provisionExternal } from './provision.js';
import { respondSuccess } from './respond.js';

type ApiKeyEndpoint = (
  request: FakeRequest,
  context: EndpointContext,
  parameters: readonly string[],
) => Response;

/** The endpoint with state, the status of its success, and its permissions. */
const ENDPOINTS: Readonly<
  Record<ApiKeyEndpointName, readonly [ApiKeyEndpoint, 200 | 201, readonly Permission[]]>
> = {
  provisionExternal: [provisionExternal, 200, ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION']],
  inviteLink: [inviteLink, 200, ['MEMBERSHIP_WRITE']],
  checkMessenger: [checkMessenger, 200, ['MEMBERSHIP_READ']],
  buyPlan: [buyPlan, 201, ['CHECKOUT_WRITE']],
  dropSignup: [dropSignup, 201, ['DROP_NOTIFICATION_WRITE']],
};

/**
 * Returns an endpoint that requires an API key. A service without communities answers every valid key with a fixed
 * success, for tests of other topics.
 */
export function apiKeyEndpoint(name: ApiKeyEndpointName): ApiKeyEndpoint {
  const [endpoint, status, permissions] = ENDPOINTS[name];
  return (request, context, parameters) => {
    const { clock, reading, world } = context;
    const rejected = rejectKey(request, context, permissions);
    if (rejected !== undefined) return rejected;
    if (world.communities.length > 0) return endpoint(request, context, parameters);
    const data = reading.apiKeyData[name](request, clock.now());
    return respondSuccess(context, { status, data });
  };
}
