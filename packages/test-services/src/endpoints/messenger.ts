import { INVITE_LINK_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import { rejectRole } from './api-key-access.js';
import { isUuid } from './api-key-fields.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondFailure, respondRejection, respondSuccess } from './respond.js';

/** `GET /membership/check-messenger/{communityId}/{messengerUserId}` */
export function checkMessenger(
  request: FakeRequest,
  context: EndpointContext,
  [communityId = '', account = '']: readonly string[],
): Response {
  const { reading, world } = context;
  const invalid = !isUuid(communityId) ? 'communityId' : /^\d+$/.test(account) ? undefined : 'account';
  if (invalid !== undefined) {
    const message = reading.messages.invalidField(invalid);
    return respondRejection(context, request, { status: 400, message });
  }
  const forbidden = rejectRole(request, context, communityId);
  if (forbidden !== undefined) return forbidden;
  const user = world.findUser({ messengerUserId: Number(account) });
  const community = world.findCommunity(communityId);
  const record = user && community && world.findRecord(user, community.id);
  const isActive = record !== undefined && world.isActive(record);
  const data = { isActive, membershipId: isActive ? record.membership.id : null };
  return respondSuccess(context, { status: 200, data });
}

/** `GET /membership/join-messenger-community-external/{externalId}` */
export function inviteLink(
  _request: FakeRequest,
  context: EndpointContext,
  [externalId = '']: readonly string[],
): Response {
  const { reading, world, clock } = context;
  const { messages } = reading;
  const reservation = world.reservations.findLast((each) => each.externalId === externalId);
  const record = reservation?.record;
  if (record === undefined) {
    return respondFailure(context, { status: 404, errorCode: 'not_found', message: messages.notProcessed });
  }
  if (!world.isActive(record)) {
    return respondFailure(context, { status: 401, errorCode: 'unauthorized', message: messages.notAMember });
  }
  if (world.findCommunity(record.communityId)?.hasBot === false) {
    return reading.json({ success: false, data: null, message: messages.noBot }, 200);
  }
  const expiresAt = new Date(clock.now() + INVITE_LINK_LIFETIME_SECONDS * 1000).toISOString();
  const link = `https://messenger.example/+${world.newId()}`;
  return respondSuccess(context, { status: 200, data: { link, expiresAt } });
}
