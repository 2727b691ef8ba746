import {
  endpointsOf,
  type ProvisionExternalCommand,
  type ProvisionedMembership,
  type SuccessData,
} from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import { type RequestHandler, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { checkoutPath, findCheckout, openCheckout } from '../../features/checkout/checkouts.js';
import { payCheckout } from '../../features/checkout/pay-checkout.js';
import { useCheckout } from '../../features/checkout/payment-budgets.js';
import type { PaymentProvider } from '../../features/checkout/payment-provider.js';
import { dropSlotInfo, signUpForDrop } from '../../features/drops/sign-up-for-drop.js';
import { findActiveMembershipOfMessenger } from '../../features/memberships/active-memberships.js';
import {
  type ProvisionResult,
  provisionMembership,
} from '../../features/memberships/provision-membership.js';
import { findPricingPlan } from '../../features/plans/plan.queries.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import type { Database } from '../../platform/database/open-database.js';
import { Semaphore } from '../../platform/database/postgres/semaphore.js';
import { failAs, methodNotAllowed } from '../../platform/http/http-failure.js';
import { nameRoute } from '../../platform/http/request-log.js';
import { envelopeFailure, rejection } from '../frame/failures.js';
import { type ApiKeyCall, type ApiKeyEndpoint, checkRequest, pathTemplate } from './check-request.js';
import { conflict, done, type EndpointResult, notFound, rejected, sendResult } from './endpoint-result.js';
import { inviteLink } from './invite-link.js';

export const API_KEY_PATHS = ['/membership', '/api'];

/** A 5xx is a failure of the endpoint, anything else a rejection before it. */
export function apiKeyFailures(needs: Needs<'clock' | 'logUrl'>): RequestHandler {
  const asEnvelope = envelopeFailure(needs);
  const asRejection = rejection(needs);
  return failAs((failure, request, response) =>
    (failure.status >= 500 ? asEnvelope : asRejection)(failure, request, response),
  );
}

export function apiKeyRoutes(
  needs: Needs<
    'baseUrl' | 'clock' | 'db' | 'logger' | 'logUrl' | 'messengerBot' | 'payments' | 'serviceNames'
  >,
): Router {
  const { baseUrl, clock, db, logger, payments } = needs;
  const endpoints = endpointsOf(needs.serviceNames);
  const router = Router();
  const inTurn = createProvisioningQueue(db);

  /** No rate limit, and no CORS headers: a key must never be in a browser. {@link checkRequest} has the checks. */
  function add<E extends ApiKeyEndpoint>(
    endpoint: E,
    handler: (call: ApiKeyCall<E>) => Promise<EndpointResult<SuccessData<E>>>,
  ): void {
    const template = pathTemplate(endpoint.path);
    const handle: RequestHandler = async (request, response) => {
      nameRoute(response, endpoint.path);
      const checked = await checkRequest(needs, { endpoint, template }, { request, response });
      const result = checked.kind === 'valid' ? await handler(checked.call) : checked;
      sendResult(needs, { request, response }, { result, successStatus: endpoint.success.status });
    };
    const route = router.route(template.matcher);
    if (endpoint.method === 'GET') route.get(handle);
    else route.post(handle);
    const reject = methodNotAllowed(endpoint.method);
    route.all((request, response, next) => {
      nameRoute(response, endpoint.path);
      reject(request, response, next);
    });
  }

  // Grants or changes a membership for an order from an external shop. The state table is in `decideProvisioning`.
  add(endpoints.provisionExternal, async ({ body }) =>
    provisioned(await inTurn(body, () => provisionMembership(db, body, clock.now()))),
  );

  // Reports whether the user of a messenger account has an active membership now. One that starts later isn't active
  // yet. An unknown account has none.
  add(endpoints.checkMessenger, async ({ path }) => {
    const membershipId = await findActiveMembershipOfMessenger(db, path, clock.now());
    return done(
      membershipId === undefined ? { isActive: false, membershipId: null } : { isActive: true, membershipId },
    );
  });

  add(endpoints.dropSignup, async ({ body }) => {
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

  add(endpoints.inviteLink, ({ path, apiKey }) => inviteLink(needs, path.externalId, apiKey.ownerId));

  // Opens a checkout for the buyer with an email address. A 201 without `data.checkoutUrl` is a failure.
  add(endpoints.buyPlan, async ({ apiKey, body }) => {
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

    const use = await useCheckout(db, { by: 'community', id: communityId }, clock.now());
    if (use.kind === 'exhausted') {
      const { limit } = use.budget;
      const message = `The community has opened ${limit} checkouts within an hour, which is the maximum. Try again after ${formatTimestamp(use.availableAt)}.`;
      return { kind: 'unsuccessful', message };
    }
    const secret = await openCheckout(
      db,
      {
        subject: { kind: 'plan', planId: plan.id, communityId },
        buyer: { email, communityId },
        caller: { id: apiKey.ownerId, externalId },
        // Normalised: a Location header must be ASCII.
        successUrl: new URL(body.successUrl).href,
        cancelUrl: new URL(body.cancelUrl).href,
        utmSource: utmSource ?? null,
      },
      clock.now(),
    );
    const url = `${baseUrl}${checkoutPath(plan.provider, secret)}`;
    return done({ checkoutUrl: (await providerPage(payments, { url, secret })) ?? url });
  });
  return router;

  /** `undefined` if buyers choose a method on our page, or the provider doesn't respond: our page then tries again. */
  async function providerPage(
    payments: PaymentProvider,
    { url, secret }: { url: string; secret: string },
  ): Promise<string | undefined> {
    const found = await findCheckout(db, secret);
    if (found?.offer === undefined || found.offer.amountMinor === 0) return undefined;
    if (payments.methods(found.offer.paidBy).length > 0) return undefined;
    const checkout = { ...found, offer: found.offer };
    const order = { checkout, url, cancelUrl: checkout.cancelUrl, method: null };
    try {
      const paid = await payCheckout({ db, clock, logger, payments }, order);
      return paid.kind === 'redirect' ? paid.url : undefined;
    } catch (error) {
      const { reservationId } = checkout;
      logger.error({ reservation: reservationId, error }, 'The payment provider failed to start a payment');
      return undefined;
    }
  }
}

const MAX_WAIT_MS = 30_000;

const ONE_AT_A_TIME = { permits: 1, stallTimeoutMs: MAX_WAIT_MS, maxWaitMs: MAX_WAIT_MS };

/**
 * Creates this process's queue of provisioning calls. Calls for the same buyer in the same community run one after
 * another, and fail after 30 seconds. The database would also make them wait for each other, at the membership's row,
 * but each would hold a connection meanwhile, and a few of them would block all other requests. Correctness doesn't
 * depend on the queue: other processes, and other identifiers of the same buyer, bypass it.
 */
function createProvisioningQueue(db: Database) {
  const semaphores = new Map<string, Semaphore>();
  return async <Result>(
    { communityId, email, messengerUserId }: ProvisionExternalCommand,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    // SQLite has one writer, and waiting for it holds no connection.
    if (!hasRowLocks(db)) return await work();
    const buyer = `${communityId} ${email ?? messengerUserId}`;
    const semaphore = semaphores.get(buyer) ?? new Semaphore(ONE_AT_A_TIME);
    semaphores.set(buyer, semaphore);
    await semaphore.acquire();
    try {
      return await work();
    } finally {
      semaphore.release();
      if (semaphore.isIdle) semaphores.delete(buyer);
    }
  };
}

function provisioned(provisioning: ProvisionResult): EndpointResult<ProvisionedMembership> {
  switch (provisioning.kind) {
    case 'provisioned': {
      const { id, user_id, valid_from, valid_until } = provisioning.membership;
      return done({
        membershipId: id,
        userId: user_id,
        validFrom: formatTimestamp(valid_from),
        validUntil: valid_until === null ? null : formatTimestamp(valid_until),
        status: provisioning.status,
      });
    }
    case 'unknown-plan':
      return notFound('The community has no pricing plan with this pricingPlanId.');
    case 'subscription-managed':
      return conflict(
        'conflict',
        'A payment-provider subscription renews this membership, so it cannot be provisioned.',
      );
    case 'already-active':
      return conflict(
        'already_exists',
        'The buyer already has an active membership, and onOverlap is error.',
      );
    case 'ends-before-start':
      return rejected(400, 'validUntil must be later than the start of access.');
  }
}
