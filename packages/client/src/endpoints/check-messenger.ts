import { messengerCheckSchemas } from '@latchkey/contract';
import { type EndpointCall, readBy } from '../call/endpoint-call.js';
import { checkMessengerUserId } from './provision-external.js';

/** What `checkMessenger` takes (spec, "GET /membership/check-messenger/{communityId}/{messengerUserId}"). */
export interface MessengerCheckRequest {
  /** The community that is asked about: a UUID. */
  communityId: string;
  /** The messenger account: a whole number from 1 on. */
  messengerUserId: number;
}

/** Whether a messenger account holds an active membership now (spec, "Messenger membership check result"). */
export interface MessengerCheck {
  isActive: boolean;
  /** Null when there is no active membership. */
  membershipId: string | null;
}

/** @throws InvalidRequest for an account that cannot be sent. */
export function checkMessengerCall({
  communityId,
  messengerUserId,
}: MessengerCheckRequest): EndpointCall<MessengerCheck> {
  checkMessengerUserId(messengerUserId);
  return {
    endpoint: 'checkMessenger',
    path: { communityId, messengerUserId: String(messengerUserId) },
    read: readBy(messengerCheckSchemas.loose, (received) => ({
      ...received,
      membershipId: received.membershipId ?? null,
    })),
  };
}
