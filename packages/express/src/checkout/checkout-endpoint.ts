import { type AppUrl, startPath } from '../http/app-url.js';
import { isSameOrigin } from '../http/same-origin.js';
import type { Endpoint, VisitorExchange } from '../sign-in/endpoint.js';
import { type BeginCheckoutContext, beginCheckout } from './begin-checkout.js';
import type { CheckoutRejection, CheckoutResult } from './checkout-result.js';
import { isScript, pagePath, readCheckoutRequest, sendingPage } from './read-checkout-request.js';
import { sendCheckoutRejection } from './send-checkout-rejection.js';

export interface CheckoutEndpointContext extends BeginCheckoutContext {
  app: AppUrl;
  /** True if the visitor returned from a checkout of this plan within the last minutes. */
  hasReturned(exchange: VisitorExchange, planId: string): boolean;
}

/** Result of an order, and the pages around it. All are paths of the app. */
interface SettledOrder {
  result: CheckoutResult;
  /** Page to return to after the payment. */
  returnTo: string;
  /** Page that offered the plan. */
  offeredAt: string;
}

/**
 * `POST /auth/checkout`: opens a checkout of a configured plan for the signed-in visitor, and redirects to its payment
 * page (spec, "POST /api/checkout/buy-plan"). Scripts receive the address as JSON.
 */
export function checkoutEndpoint(context: CheckoutEndpointContext): Endpoint {
  return async (exchange) => {
    const { result, ...pages } = await settleOrder(context, exchange);
    if (result.kind === 'opened') return sendOpened(exchange, result.checkoutUrl);
    await sendCheckoutRejection(context, exchange, { result, ...pages });
  };
}

async function settleOrder(
  context: CheckoutEndpointContext,
  exchange: VisitorExchange,
): Promise<SettledOrder> {
  const { app, settings } = context;
  const { request, response, visitor } = exchange;
  const start = startPath(app);
  const unread = (result: CheckoutRejection): SettledOrder => ({ result, returnTo: start, offeredAt: start });
  // A page of another site must not order for the visitor, or make the visitor pay for the attacker's account.
  if (!isSameOrigin(request, app.appOrigin)) return unread({ kind: 'cross_site' });
  const read = await readCheckoutRequest(request, response);
  if (read.kind === 'invalid') return unread(read);
  const { plan: planId, email } = read.body;
  const sentFrom = sendingPage(request, app);
  const returnTo = pagePath(read.body.returnTo, app) ?? sentFrom ?? start;
  const pages = { returnTo, offeredAt: sentFrom ?? returnTo };
  const plan = settings.plans.find(({ id }) => id === planId.toLowerCase());
  if (plan === undefined) return { result: { kind: 'plan_unknown' }, ...pages };
  const hasReturned = context.hasReturned(exchange, plan.id);
  const result = await beginCheckout(context, visitor, { plan, ...pages, email, hasReturned });
  return { result, ...pages };
}

function sendOpened({ request, response }: VisitorExchange, checkoutUrl: string): void {
  if (isScript(request)) response.status(200).json({ checkoutUrl });
  else response.redirect(303, checkoutUrl);
}
