import { createHash } from 'node:crypto';
import { comparableId } from '@latchkey/contract/constants';
import type { Gates } from '../gates/gates.js';
import { type AppUrl, publicMountPath } from '../http/app-url.js';
import { type CookieScope, readCookie, setCookie } from '../http/cookies.js';
import { sendError } from '../http/json-error.js';
import type { Middleware } from '../http/middleware.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import type { Clock } from '../platform/clock.js';
import { LatchkeyError } from '../platform/errors.js';
import type { Endpoint, Visitor, VisitorExchange } from '../session/visitor.js';
import type { FreshMemberships } from './begin-checkout.js';
import type { CheckoutPlan, CheckoutSettings } from './checkout-options.js';
import { CHECKOUT_TEXTS, sendCheckoutPage } from './checkout-page.js';
import { isScript, type Returning, readReturning } from './checkout-request.js';
import { isPaymentConfirmed, membershipsOfCommunity } from './plan-membership.js';

interface ReturnPageContext {
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

/** Milliseconds during which a payment can be on its way to the directory. Events usually arrive within seconds. */
const LIFETIME_MS = 10 * 60_000;

/**
 * Records in a cookie that a visitor returned from the checkout of a plan, before the membership was confirmed. The
 * cookie is not signed: changing it only affects the visitor's own next order.
 */
export class RecentReturns {
  readonly #cookie: CookieScope;
  readonly #clock: Clock;

  constructor(cookie: CookieScope, clock: Clock) {
    this.#cookie = cookie;
    this.#clock = clock;
  }

  /** Milliseconds since this visitor returned from a checkout of the plan. Undefined if that was not recently. */
  elapsedMs({ request, visitor }: VisitorExchange, planId: string): number | undefined {
    const [since = '', name] = readCookie(request.headers.cookie, this.#cookie.name)?.split('.') ?? [];
    const elapsedMs = this.#clock.now() - Number.parseInt(since, 36);
    const isValid = name === nameOf(visitor.user?.sub, planId) && elapsedMs >= 0 && elapsedMs < LIFETIME_MS;
    return isValid ? elapsedMs : undefined;
  }

  /** Records the return, unless a recent one is recorded. */
  begin(exchange: VisitorExchange, planId: string): void {
    if (this.elapsedMs(exchange, planId) !== undefined) return;
    const value = `${this.#clock.now().toString(36)}.${nameOf(exchange.visitor.user?.sub, planId)}`;
    exchange.response.append('Set-Cookie', setCookie(this.#cookie, value, LIFETIME_MS / 1000));
  }
}

function nameOf(sub: string | undefined, planId: string): string {
  const user = sub === undefined ? undefined : comparableId(sub);
  return createHash('sha256').update(`${user} ${planId}`).digest('base64url').slice(0, 12);
}
