import type { Gates } from '../gates/gates.js';
import { type AppUrl, publicMountPath } from '../http/app-url.js';
import { sendError } from '../http/json-error.js';
import type { Middleware } from '../http/middleware.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/latchkey-error.js';
import type { Visitor } from '../session/request/visitor.js';
import type { Endpoint, VisitorExchange } from '../sign-in/endpoint.js';
import type { FreshMemberships } from './begin-checkout.js';
import type { CheckoutSettings } from './checkout-options.js';
import { sendCheckoutPage } from './checkout-page.js';
import type { CheckoutPlan } from './checkout-plan.js';
import { CHECKOUT_TEXTS } from './checkout-texts.js';
import { type Returning, readReturning } from './checkout-urls.js';
import { isPaymentConfirmed, membershipsOfCommunity } from './plan-membership.js';
import { isScript } from './read-checkout-request.js';
import type { RecentReturns } from './recent-returns.js';

export interface ReturnPageContext {
  app: AppUrl;
  settings: CheckoutSettings;
  awaitMembership: Gates['awaitMembership'];
  recentReturns: RecentReturns;
  /** Reads the visitor's memberships from the service and the directory, without the cache. */
  readMemberships(visitor: Visitor): Promise<FreshMemberships>;
}

/**
 * `GET /auth/checkout/return`: waits for the membership and redirects to the wanted page. Reaching it proves no payment
 * (spec, "POST /api/checkout/buy-plan", rule 3), and it opens nothing: the gate of the wanted page decides.
 */
export function returnEndpoint(context: ReturnPageContext): Endpoint {
  const { app, settings, recentReturns } = context;
  const waitFor = waitsOf(context);
  return async (exchange) => {
    const { plan, ...query } = readReturning(exchange.request.url, { app, plans: settings.plans });
    const proceed = () => redirect(app, exchange, query.returnTo);
    if (plan === undefined) return proceed();
    const returning = { plan, ...query };
    if (exchange.visitor.signedIn) recentReturns.begin(exchange, plan.id);
    switch (await shortcut(context, exchange, returning)) {
      case 'continue':
        return proceed();
      case 'other_account':
        return sendOtherAccount(context, exchange, returning);
      case 'wait':
        await passErrors(waitFor(returning), exchange, proceed);
    }
  };
}

/** Creates the gates that wait for each plan. */
function waitsOf({ settings, awaitMembership }: ReturnPageContext) {
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
 * Decides the cases in which the membership that was paid may never appear:
 * - The checkout was bound to an address that the visitor typed, so that another account has the membership.
 * - A member bought another plan, and the service kept the plan of the membership, as for lifetime access.
 */
async function shortcut(
  { settings: { plans, waitSeconds }, readMemberships, recentReturns }: ReturnPageContext,
  exchange: VisitorExchange,
  { plan, wasMember, isTyped }: Returning,
): Promise<'continue' | 'other_account' | 'wait'> {
  const { visitor } = exchange;
  const isForOther = isTyped && visitor.user?.email === null;
  const waitedMs = recentReturns.elapsedMs(exchange, plan.id);
  const hasWaited = wasMember && waitedMs !== undefined && waitedMs >= waitSeconds * 1000;
  if (!isForOther && !hasWaited) return 'wait';
  try {
    const { memberships } = await readMemberships(visitor);
    if (isPaymentConfirmed(plan, memberships, { plans, wasMember })) return 'continue';
    if (isForOther) return 'other_account';
    return membershipsOfCommunity(plan, memberships).length > 0 ? 'continue' : 'wait';
  } catch (error) {
    // The gate responds to a session that has ended, and to an outage.
    if (error instanceof LatchkeyError) return 'wait';
    throw error;
  }
}

async function sendOtherAccount(
  { app, settings }: ReturnPageContext,
  exchange: VisitorExchange,
  { plan, returnTo }: Returning,
): Promise<void> {
  const { request, response } = exchange;
  if (isScript(request)) {
    const { message } = CHECKOUT_TEXTS.other_account;
    return sendError(response, 403, { error: 'membership_required', message });
  }
  await sendCheckoutPage(settings, exchange, {
    state: 'other_account',
    plan,
    continueUrl: returnTo,
    signOutPath: `${publicMountPath(app)}/logout`,
  });
}

function redirect({ appOrigin }: AppUrl, { request, response }: VisitorExchange, returnTo: string): void {
  if (isScript(request)) response.status(200).json({ continueUrl: returnTo });
  else response.redirect(303, `${appOrigin}${returnTo}`);
}

/** Runs a gate. Resolves after its response, or after `proceed`. */
async function passErrors(
  gate: Middleware | undefined,
  { request, response }: VisitorExchange,
  proceed: () => void,
): Promise<void> {
  let failure: unknown;
  await gate?.(request, response, (error) => {
    if (error === undefined) proceed();
    else failure = error;
  });
  if (failure !== undefined) throw failure;
}
