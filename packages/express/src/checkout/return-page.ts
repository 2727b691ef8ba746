import { comparableId } from '@latchkey/contract/constants';
import { type AppUrl, publicMountPath } from '../http/app-url.js';
import { markedMsAgo, setMark } from '../http/cookies.js';
import { sendError } from '../http/json-error.js';
import type { Middleware } from '../http/middleware.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/errors.js';
import type { Endpoint, Visit } from '../session/visitor.js';
import type { CheckoutPlan } from './checkout-options.js';
import { CHECKOUT_TEXTS, sendCheckoutPage } from './checkout-page.js';
import { isScript, type Returning, readOrder } from './checkout-request.js';
import {
  type Checkout,
  isPaymentConfirmed,
  membershipsOfCommunity,
  readMemberships,
} from './service-calls.js';

/**
 * `GET /auth/checkout/return`: waits for the membership, then redirects to the page that the visitor wanted. Reaching
 * it doesn't prove a payment (spec, "POST /api/checkout/buy-plan", rule 3) and opens nothing: that page's gate decides.
 */
export function returnEndpoint(checkout: Checkout): Endpoint {
  const {
    kit: { app },
    plans,
  } = checkout;
  const waitFor = waitsOf(checkout);
  return async (visit) => {
    const { plan, ...query } = readOrder(visit.request.url, { app, plans });
    const proceed = () => redirect(app, visit, query.returnTo);
    if (plan === undefined) return proceed();
    const returning = { plan, ...query };
    if (visit.visitor.signedIn) beginReturn(checkout, visit, plan.id);
    switch (await shortcut(checkout, visit, returning)) {
      case 'continue':
        return proceed();
      case 'other_account':
        return sendOtherAccount(checkout, visit, returning);
      case 'wait':
        await passErrors(waitFor(returning), visit, proceed);
    }
  };
}

function waitsOf({ settings, awaitMembership }: Checkout) {
  const { plans, holdSeconds, waitSeconds } = settings;
  const waitFor = (plan: CheckoutPlan, wasMember: boolean) =>
    awaitMembership(
      (memberships: readonly SiteMembership[]) => isPaymentConfirmed(plan, memberships, { plans, wasMember }),
      { holdSeconds, waitSeconds },
    );
  const gates = new Map(
    plans.map((plan) => [plan.id, { member: waitFor(plan, true), newcomer: waitFor(plan, false) }]),
  );
  return ({ plan, wasMember }: Returning): Middleware | undefined => {
    const gate = gates.get(plan.id);
    return wasMember ? gate?.member : gate?.newcomer;
  };
}

/**
 * Handles the cases in which the paid membership may never appear:
 * - The checkout was bound to an address that the visitor typed, so another account has the membership.
 * - A member bought another plan, but the service kept the membership's plan, as it does for lifetime access.
 */
async function shortcut(
  checkout: Checkout,
  visit: Visit,
  { plan, wasMember, isTyped }: Returning,
): Promise<'continue' | 'other_account' | 'wait'> {
  const {
    plans,
    settings: { waitSeconds },
  } = checkout;
  const { visitor } = visit;
  const isForOther = isTyped && visitor.user?.email === null;
  const waitedMs = returnedMsAgo(checkout, visit, plan.id);
  const hasWaited = wasMember && waitedMs !== undefined && waitedMs >= waitSeconds * 1000;
  if (!isForOther && !hasWaited) return 'wait';
  try {
    const { memberships } = await readMemberships(visitor);
    if (isPaymentConfirmed(plan, memberships, { plans, wasMember })) return 'continue';
    if (isForOther) return 'other_account';
    return membershipsOfCommunity(plan, memberships).length > 0 ? 'continue' : 'wait';
  } catch (error) {
    // The gate handles ended sessions and outages.
    if (error instanceof LatchkeyError) return 'wait';
    throw error;
  }
}

async function sendOtherAccount(
  { kit: { app }, settings }: Checkout,
  visit: Visit,
  { plan, returnTo }: Returning,
): Promise<void> {
  const { request, response } = visit;
  if (isScript(request)) {
    const { message } = CHECKOUT_TEXTS.other_account;
    return sendError(response, 403, { error: 'membership_required', message });
  }
  await sendCheckoutPage(settings, visit, {
    state: 'other_account',
    plan,
    continueUrl: returnTo,
    signOutPath: `${publicMountPath(app)}/logout`,
  });
}

function redirect({ appOrigin }: AppUrl, { request, response }: Visit, returnTo: string): void {
  if (isScript(request)) response.status(200).json({ continueUrl: returnTo });
  else response.redirect(303, `${appOrigin}${returnTo}`);
}

/** Runs a gate. Resolves after its response, or after `proceed`. */
async function passErrors(
  gate: Middleware | undefined,
  { request, response }: Visit,
  proceed: () => void,
): Promise<void> {
  let failure: unknown;
  await gate?.(request, response, (error) => {
    if (error === undefined) proceed();
    else failure = error;
  });
  if (failure !== undefined) throw failure;
}

/** How long a payment can be on its way to the directory, in milliseconds. Events usually arrive within seconds. */
const RETURN_LIFETIME_MS = 10 * 60_000;

/**
 * Returns how long ago this visitor returned from a checkout for the plan, in milliseconds, while the membership isn't
 * confirmed. Undefined if it wasn't recently. The cookie isn't signed: changing it only affects the visitor's own next
 * order.
 */
export function returnedMsAgo(checkout: Checkout, visit: Visit, planId: string): number | undefined {
  const { headers } = visit.request;
  return markedMsAgo(headers.cookie, returnMark(checkout, visit, planId), checkout.kit.clock.now());
}

/** Records the return, unless a recent one is recorded. */
function beginReturn(checkout: Checkout, visit: Visit, planId: string): void {
  if (returnedMsAgo(checkout, visit, planId) !== undefined) return;
  const mark = returnMark(checkout, visit, planId);
  visit.response.append('Set-Cookie', setMark(mark, checkout.kit.clock.now()));
}

function returnMark({ kit }: Checkout, { visitor: { user } }: Visit, planId: string) {
  const key = `${user === undefined ? undefined : comparableId(user.sub)} ${planId}`;
  return { ...kit.returnCookie, key, lifetimeMs: RETURN_LIFETIME_MS };
}
