import { findPricingPlan } from '../../domain/catalogue/pricing-plans.js';
import { checkoutPath } from '../../domain/checkout/checkout-address.js';
import { openCheckout } from '../../domain/checkout/checkouts.js';
import type { PaymentProvider } from '../../domain/checkout/payment-provider.js';
import type { Clock } from '../../platform/clock.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { done } from './frame/endpoint-result.js';

interface BuyPlanNeeds extends ApiKeyNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly payments: PaymentProvider | undefined;
}

/**
 * `POST /api/checkout/buy-plan` (spec, section of that name): opens a checkout for the buyer with an e-mail address.
 * A 201 without `data.checkoutUrl` is a failure.
 */
export function buyPlan(needs: BuyPlanNeeds): AddApiKeyRoute {
  const { db, clock, payments, baseUrl } = needs;
  return apiKeyRoute(needs, needs.endpoints.buyPlan, async ({ apiKey, body }) => {
    if (payments === undefined) {
      const message = 'The service cannot take payments, because no payment provider is set up.';
      return { kind: 'failed', status: 503, errorCode: 'service_unavailable', message };
    }
    const { email, pricingPlanId, communityId, externalId, utmSource } = body;
    if (email === undefined) {
      return {
        kind: 'unsuccessful',
        message: 'email is missing. The checkout is bound to the buyer’s address.',
      };
    }
    const plan = await findPricingPlan(db, pricingPlanId);
    if (plan?.communityId !== communityId || plan.archivedAt !== null) return done({});

    const secret = await openCheckout(
      db,
      {
        subject: { kind: 'plan', planId: plan.id, communityId },
        buyer: { email, communityId },
        caller: { id: apiKey.ownerId, externalId },
        // Normalised, because a Location header takes ASCII only.
        successUrl: new URL(body.successUrl).href,
        cancelUrl: new URL(body.cancelUrl).href,
        utmSource: utmSource ?? null,
      },
      clock.now(),
    );
    return done({ checkoutUrl: `${baseUrl}${checkoutPath(plan.provider, secret)}` });
  });
}
