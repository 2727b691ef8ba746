import type { Permission } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import { DEFAULT_OWNER } from '../state/world.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondFailure, respondRejection } from './respond.js';

/** Returns the rejection of a request without a valid key or a permission (specification, "API keys"). */
export function rejectKey(
  request: FakeRequest,
  context: EndpointContext,
  permissions: readonly Permission[],
): Response | undefined {
  const { names, reading, world } = context;
  const key = keyOf(request);
  const known = world.apiKeys.find((each) => each.key === key);
  if (!key.startsWith(names.apiKeyPrefix) || (known === undefined && world.apiKeys.length > 0)) {
    return respondRejection(context, request, { status: 401, message: reading.messages.keyRejected });
  }
  const isAllowed = known === undefined || permissions.every((each) => known.permissions.includes(each));
  const message = reading.messages.missingPermission;
  return isAllowed ? undefined : respondRejection(context, request, { status: 403, message });
}

/** Returns the failure of a request for a community in which the owner of its key has no role. */
export function rejectRole(
  request: FakeRequest,
  context: EndpointContext,
  communityId: string,
): Response | undefined {
  const { reading, world } = context;
  const ownerId = world.apiKeys.find(({ key }) => key === keyOf(request))?.ownerId ?? DEFAULT_OWNER;
  const community = world.findCommunity(communityId);
  if (community === undefined && reading.unknownCommunityStatus === 404) {
    const message = reading.messages.unknownCommunity;
    return respondFailure(context, { status: 404, errorCode: 'community_not_found', message });
  }
  if (community?.ownerId === ownerId || community?.adminIds.includes(ownerId)) return undefined;
  return respondRejection(context, request, { status: 403, message: reading.messages.missingRole });
}

function keyOf({ headers }: FakeRequest): string {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
}
