import { inviteLinkSchemas } from '@latchkey/contract';
import { type EndpointCall, parseBy } from '../call/endpoint-call.js';

/** Request of `inviteLink` (spec, "GET /membership/join-messenger-community-external/{externalId}"). */
export interface InviteLinkRequest {
  /** The `externalId` of the `buyPlan` request, not the `externalOrderId` of a provisioning. */
  externalId: string;
}

/** A new invite link (spec, "Invite link result"). It admits only the buyer's own messenger account. */
export interface InviteLink {
  link: string;
  /**
   * ISO-8601, 24 hours after the call. Do not cache the link beyond this time; request a new one. If it is `undefined`, the
   * service did not send it: do not cache the link.
   */
  expiresAt: string | undefined;
}

export function inviteLinkCall({ externalId }: InviteLinkRequest): EndpointCall<InviteLink> {
  return {
    endpoint: 'inviteLink',
    path: { externalId },
    likelyCause: 'Probably the community has no messenger bot.',
    parse: parseBy(inviteLinkSchemas.loose, ({ expiresAt, ...received }) => ({ ...received, expiresAt })),
  };
}
