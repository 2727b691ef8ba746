import { endpointsOf } from '@latchkey/contract';
import { Router } from 'express';
import { findPricingPlan } from '../../domain/catalogue/pricing-plans.js';
import { checkoutPath } from '../../domain/checkout/checkout-address.js';
import { openCheckout } from '../../domain/checkout/checkouts.js';
import type { PaymentProvider } from '../../domain/checkout/payment-provider.js';
import { dropSlotInfo } from '../../domain/drops/drop-slot-info.js';
import { signUpForDrop } from '../../domain/drops/sign-up-for-drop.js';
import { findActiveMembershipOfMessenger } from '../../domain/memberships/active-memberships.js';
import type { MessengerBot } from '../../domain/messenger/messenger-bot.js';
import type { Clock } from '../../platform/clock.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { conflict, done, notFound } from './frame/endpoint-result.js';
import { inviteLink } from './invite-link.js';
import { provisionExternal } from './provision-external.js';

interface ApiKeyRoutesNeeds extends Omit<ApiKeyNeeds, 'endpoints'> {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly messengerBot: MessengerBot | undefined;
  readonly payments: PaymentProvider | undefined;
}

/** Routes of the five endpoints that take an API key (spec, "API-key endpoints"). */
export function apiKeyRoutes(options: ApiKeyRoutesNeeds): Router {
  const needs = { ...options, endpoints: endpointsOf(options.serviceNames) };
  const router = Router();
  const endpoints = [provisionExternal, checkMessenger, dropSignup, inviteLink, buyPlan];
  for (const endpoint of endpoints) endpoint(needs)(router);
  return router;
}

interface CheckMessengerNeeds extends ApiKeyNeeds {
  readonly clock: Clock;
}

/**
 * `GET /membership/check-messenger/{communityId}/{messengerUserId}`: reports if the user of a messenger account has an
 * active membership now. A membership that starts later is not active. An unknown account has none.
 */
function checkMessenger(needs: CheckMessengerNeeds): AddApiKeyRoute {
  const { db, clock } = needs;
  return apiKeyRoute(needs, needs.endpoints.checkMessenger, async ({ path }) => {
    const membershipId = await findActiveMembershipOfMessenger(db, path, clock.now());
    return done(
      membershipId === undefined ? { isActive: false, membershipId: null } : { isActive: true, membershipId },
    );
  });
}

interface DropSignupNeeds extends ApiKeyNeeds {
  readonly clock: Clock;
}

/** `POST /api/drop-notification/signup`: signs an e-mail address up for the next drop of a community. */
function dropSignup(needs: DropSignupNeeds): AddApiKeyRoute {
  const { db, clock } = needs;
  return apiKeyRoute(needs, needs.endpoints.dropSignup, async ({ body }) => {
    const now = clock.now();
    const result = await signUpForDrop(db, body, now);
    switch (result.kind) {
      case 'no-drop':
        return notFound('The community has no running or upcoming drop.');
      case 'duplicate':
        return conflict('already_exists', 'The address is already signed up for this drop.');
      case 'full':
        return conflict('conflict', 'The next drop has no slot left.');
      case 'has-account':
      case 'signed-up': {
        const signedUp = result.kind === 'signed-up';
        return done({
          signedUp,
          hasExistingAccount: !signedUp,
          dropSlotInfo: dropSlotInfo(result.slot, now),
        });
      }
    }
  });
}

interface BuyPlanNeeds extends ApiKeyNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly payments: PaymentProvider | undefined;
}

/**
 * `POST /api/checkout/buy-plan` (spec, section of that name): opens a checkout for the buyer with an e-mail address.
 * A 201 without `data.checkoutUrl` is a failure.
 */
function buyPlan(needs: BuyPlanNeeds): AddApiKeyRoute {
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
