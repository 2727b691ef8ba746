import { inviteLinkSchemas } from '@latchkey/contract';
import { type EndpointCall, readBy } from '../call/endpoint-call.js';

/** What `inviteLink` takes (spec, "GET /membership/join-messenger-community-external/{externalId}"). */
export interface InviteLinkRequest {
  /** The `externalId` that was sent to `buyPlan`; not the `externalOrderId` of a provisioning. */
  externalId: string;
}

/** A fresh invite link (spec, "Invite link result"). Only the buyer's own messenger account is let in with it. */
export interface InviteLink {
  link: string;
  /** ISO-8601, 24 hours after the call. Do not keep the link past it; ask for another. */
  expiresAt: string;
}

export function inviteLinkCall({ externalId }: InviteLinkRequest): EndpointCall<InviteLink> {
  return {
    endpoint: 'inviteLink',
    path: { externalId },
    likelyCause: 'Most likely the community has no messenger bot set up.',
    read: readBy(inviteLinkSchemas.loose, (received) => received),
  };
}
