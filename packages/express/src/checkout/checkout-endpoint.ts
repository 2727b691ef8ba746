import { isSameOrigin, startPath } from '../http/app-url.js';
import { type ErrorBody, sendError } from '../http/json-error.js';
import type { Endpoint, Visit } from '../session/visitor.js';
import { loginPath } from '../sign-in/return-to.js';
import { beginCheckout } from './begin-checkout.js';
import type { CheckoutState } from './checkout-options.js';
import { CHECKOUT_TEXTS, sendCheckoutPage } from './checkout-page.js';
import {
  checkoutPath,
  isScript,
  pagePath,
  readCheckoutRequest,
  returnUrl,
  sendingPage,
} from './checkout-request.js';
import { returnedMsAgo } from './return-page.js';
import type { Checkout, CheckoutRejection, CheckoutResult } from './service-calls.js';

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
export function checkoutEndpoint(checkout: Checkout): Endpoint {
  return async (visit) => {
    const { result, ...pages } = await settleOrder(checkout, visit);
    if (result.kind === 'opened') return sendOpened(visit, result.checkoutUrl);
    await sendCheckoutRejection(checkout, visit, { result, ...pages });
  };
}

async function settleOrder(checkout: Checkout, visit: Visit): Promise<SettledOrder> {
  const {
    kit: { app },
    plans,
  } = checkout;
  const { request, response, visitor } = visit;
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
  const plan = plans.find(({ id }) => id === planId.toLowerCase());
  if (plan === undefined) return { result: { kind: 'plan_unknown' }, ...pages };
  const hasReturned = returnedMsAgo(checkout, visit, plan.id) !== undefined;
  const result = await beginCheckout(checkout, visitor, { plan, ...pages, email, hasReturned });
  return { result, ...pages };
}

function sendOpened({ request, response }: Visit, checkoutUrl: string): void {
  if (isScript(request)) response.status(200).json({ checkoutUrl });
  else response.redirect(303, checkoutUrl);
}

interface RejectedOrder<Result extends CheckoutRejection = CheckoutRejection> {
  result: Result;
  /** Page to return to after the payment: a path of the app. */
  returnTo: string;
  /** Page that offered the plan: a path of the app. */
  offeredAt: string;
}

/** Rejection that sign-in resolves. */
type SignInRejection = Extract<CheckoutRejection, { kind: 'signed_out' | 'missing_scope' }>;
type OtherRejection = Exclude<CheckoutRejection, SignInRejection>;
type PageRejection = Exclude<OtherRejection, { kind: 'already_paid' }>;

const ERRORS: Readonly<
  Record<OtherRejection['kind'], { readonly status: number; readonly error: ErrorBody['error'] }>
> = {
  cross_site: { status: 403, error: 'cross_site_request' },
  invalid: { status: 400, error: 'invalid_request' },
  plan_unknown: { status: 404, error: 'plan_unknown' },
  email_required: { status: 422, error: 'email_required' },
  already_member: { status: 409, error: 'already_member' },
  already_paid: { status: 409, error: 'already_paid' },
  refused: { status: 502, error: 'checkout_refused' },
  unavailable: { status: 503, error: 'service_unavailable' },
};

/** Sends the response to an order that opened no checkout: a redirect, a page or JSON. */
async function sendCheckoutRejection(
  checkout: Checkout,
  visit: Visit,
  { result, ...pages }: RejectedOrder,
): Promise<void> {
  if (result.kind === 'signed_out' || result.kind === 'missing_scope') {
    return sendSignIn(checkout, visit, { result, ...pages });
  }
  if (isScript(visit.request)) return sendJson(checkout, visit, { result, ...pages });
  if (result.kind === 'already_paid') {
    return visit.response.redirect(303, returnUrl(checkout.kit.app, { ...result, ...pages }));
  }
  return sendPage(checkout, visit, { result, ...pages });
}

/** Leads to sign-in and back to the page that offered the plan, because a form cannot be sent again. */
function sendSignIn(
  { kit: { app } }: Checkout,
  { request, response }: Visit,
  { result, offeredAt }: RejectedOrder<SignInRejection>,
): void {
  const scopes = result.kind === 'missing_scope' ? result.scopes : [];
  const signInUrl = loginPath(app, { returnTo: offeredAt, scopes });
  if (!isScript(request)) {
    response.redirect(303, `${app.appOrigin}${signInUrl}`);
  } else if (result.kind === 'signed_out') {
    sendError(response, 401, { error: 'sign_in_required', message: 'Sign in first.', signInUrl });
  } else {
    sendError(response, 403, {
      error: 'insufficient_scope',
      message: 'A purchase needs the permission to see your memberships.',
      missingScopes: scopes,
      signInUrl,
    });
  }
}

function sendJson(
  { kit: { app } }: Checkout,
  { response }: Visit,
  { result, returnTo }: RejectedOrder<OtherRejection>,
): void {
  const { status, error } = ERRORS[result.kind];
  switch (result.kind) {
    case 'already_member':
      sendError(response, status, {
        error,
        message: CHECKOUT_TEXTS.already_member.message,
        continueUrl: returnTo,
      });
      break;
    case 'already_paid':
      sendError(response, status, {
        error,
        message: 'This plan is already paid. The membership is being confirmed.',
        continueUrl: returnUrl(app, { ...result, returnTo }).slice(app.appOrigin.length),
      });
      break;
    case 'invalid':
      sendError(response, status, { error, message: result.message });
      break;
    default:
      sendError(response, status, { error, message: CHECKOUT_TEXTS[stateOf(result)].message });
  }
}

async function sendPage(
  { kit: { app }, settings }: Checkout,
  visit: Visit,
  { result, returnTo, offeredAt }: RejectedOrder<PageRejection>,
): Promise<void> {
  const { response } = visit;
  const { status } = ERRORS[result.kind];
  if (status === 503) response.setHeader('Retry-After', '5');
  response.status(status);
  const plan = 'plan' in result ? result.plan : undefined;
  const isMember = result.kind === 'already_member';
  await sendCheckoutPage(settings, visit, {
    state: stateOf(result),
    plan,
    continueUrl: isMember ? returnTo : offeredAt,
    retry: plan === undefined || isMember ? undefined : { action: checkoutPath(app), returnTo },
  });
}

function stateOf(result: PageRejection): CheckoutState {
  return result.kind === 'email_required' && result.isInvalid ? 'email_invalid' : result.kind;
}
