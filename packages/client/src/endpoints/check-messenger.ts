import { messengerCheckSchemas } from '@latchkey/contract';
import { messengerUserIdNameOf, type ServiceNames } from '@latchkey/contract/constants';
import { type EndpointCall, parseBy } from '../call/endpoint-call.js';
import { checkMessengerUserId } from './provision-external.js';

/** Request of `checkMessenger` (spec, "GET /membership/check-messenger/{communityId}/{messengerUserId}"). */
export interface MessengerCheckRequest {
  communityId: string;
  /** Id of the messenger account, an integer from 1. */
  messengerUserId: number;
}

/** Membership of a messenger account at the time of the call (spec, "Messenger membership check result"). */
export interface MessengerCheck {
  /** True if the account has an active membership. */
  isActive: boolean;
  /** Id of the active membership. Null without one, and if the service did not send it. */
  membershipId: string | null;
}

/** @throws InvalidRequest for an invalid messengerUserId. */
export function checkMessengerCall(
  { communityId, messengerUserId }: MessengerCheckRequest,
  names: ServiceNames,
): EndpointCall<MessengerCheck> {
  checkMessengerUserId(messengerUserId);
  return {
    endpoint: 'checkMessenger',
    path: { communityId, [messengerUserIdNameOf(names)]: String(messengerUserId) },
    parse: parseBy(messengerCheckSchemas.loose, (received) => ({
      ...received,
      // A check that contradicts itself names no active membership.
      membershipId: received.isActive ? received.membershipId : null,
    })),
  };
}
