import { checkoutSessionSchemas } from '@latchkey/contract';
import type { EndpointCall } from '../call/endpoint-call.js';

/** What `buyPlan` takes (spec, "POST /api/checkout/buy-plan"). */
export interface CheckoutRequest {
  /** The plan to buy: a UUID of the community's. */
  pricingPlanId: string;
  /** A UUID. */
  communityId: string;
  /** Your identifier for the buyer. `inviteLink` is asked with it once they have paid. */
  externalId: string;
  /** Whom the checkout is bound to, not a pre-fill: the user with this address is found, or created. */
  email: string;
  /** Where to send the buyer after they paid. That they come back there does not prove it: `payment.success` does. */
  successUrl: string;
  /** Where to send the buyer when they do not. */
  cancelUrl: string;
  /** Shown in purchase reporting; at most 100 characters. */
  utmSource?: string | undefined;
}

/** A hosted checkout session (spec, "Checkout session result"). */
export interface CheckoutSession {
  /** The page where the buyer pays. Redirect to it as it is; its host depends on the payment provider. */
  checkoutUrl: string;
}

const checkoutSession = checkoutSessionSchemas.loose;

export function buyPlanCall(request: CheckoutRequest): EndpointCall<CheckoutSession> {
  const { pricingPlanId, communityId, externalId, email, successUrl, cancelUrl, utmSource } = request;
  return {
    endpoint: 'buyPlan',
    body: { pricingPlanId, communityId, externalId, email, successUrl, cancelUrl, utmSource },
    likelyCause: 'Most likely email is missing.',
    // The absence of the URL is the failure signal, whatever else there is (spec, rule 2).
    read: (data) => {
      const parsed = checkoutSession.safeParse(data);
      if (parsed.success) return { result: parsed.data };
      return {
        failure:
          'there is no checkoutUrl, so there is no checkout. Most likely pricingPlanId is not a plan of this community.',
      };
    },
  };
}
