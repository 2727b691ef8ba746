import { checkoutSessionSchemas, inviteLinkSchemas } from '@latchkey/contract';
import { type EndpointCall, parseBy } from '../call/endpoint-call.js';

/** Request of `buyPlan` (spec, "POST /api/checkout/buy-plan"). */
export interface CheckoutRequest {
  /** Id of the plan, a UUID. The plan must belong to the community. */
  pricingPlanId: string;
  communityId: string;
  /** Your identifier for the buyer. Use it for `inviteLink` after the payment. */
  externalId: string;
  /**
   * Email address of the buyer. The checkout belongs to the user with this address, who is created if there is none.
   */
  email: string;
  /**
   * Where the buyer goes after the payment. A visit to this URL doesn't prove a payment; only the event
   * `payment.success` does.
   */
  successUrl: string;
  /** Where the buyer goes after cancelling. */
  cancelUrl: string;
  /** Appears in purchase reports. At most 100 characters. */
  utmSource?: string | undefined;
}

/** A hosted checkout session (spec, "Checkout session result"). */
export interface CheckoutSession {
  /** URL of the hosted payment page. Redirect the buyer to it unchanged. Its host depends on the payment provider. */
  checkoutUrl: string;
}

export const buyPlanCall: EndpointCall<CheckoutRequest, CheckoutSession> = {
  endpoint: 'buyPlan',
  prepare: ({ pricingPlanId, communityId, externalId, email, successUrl, cancelUrl, utmSource }) => ({
    body: { pricingPlanId, communityId, externalId, email, successUrl, cancelUrl, utmSource },
  }),
  likelyCause: 'Probably email is missing.',
  // A missing URL is a failure, whatever the other fields contain (spec, rule 2).
  parse: (data) => {
    const parsed = checkoutSessionSchemas.loose.safeParse(data);
    if (parsed.success) return { kind: 'success', result: parsed.data };
    return {
      kind: 'failure',
      problem: 'checkoutUrl is missing. Probably pricingPlanId is not a plan of this community.',
    };
  },
};

/** Request of `inviteLink` (spec, "GET /membership/join-messenger-community-external/{externalId}"). */
export interface InviteLinkRequest {
  /** The `externalId` of the `buyPlan` request, not the `externalOrderId` of a provisioning. */
  externalId: string;
}

/** A new invite link (spec, "Invite link result"). It works for the buyer's messenger account only. */
export interface InviteLink {
  link: string;
  /**
   * Expiry of the link, ISO-8601: 24 hours after the call. Request a new link after this time. `undefined` if the
   * service didn't send it; don't cache the link then.
   */
  expiresAt: string | undefined;
}

export const inviteLinkCall: EndpointCall<InviteLinkRequest, InviteLink> = {
  endpoint: 'inviteLink',
  prepare: ({ externalId }) => ({ path: { externalId } }),
  likelyCause: 'Probably the community has no messenger bot.',
  parse: parseBy(inviteLinkSchemas.loose, ({ expiresAt, ...received }) => ({ ...received, expiresAt })),
};
