import type { AppUrl } from '../http/app-url.js';
import { type ErrorBody, sendError } from '../http/json-error.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import { loginPath } from '../sign-in/login-path.js';
import type { CheckoutSettings } from './checkout-options.js';
import { sendCheckoutPage } from './checkout-page.js';
import type { CheckoutRejection } from './checkout-result.js';
import { CHECKOUT_TEXTS, type CheckoutState } from './checkout-texts.js';
import { checkoutPath, returnUrl } from './checkout-urls.js';
import { isScript } from './read-checkout-request.js';

interface RejectionContext {
  app: AppUrl;
  settings: CheckoutSettings;
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
/** Rejection that has a page. */
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
export async function sendCheckoutRejection(
  context: RejectionContext,
  exchange: VisitorExchange,
  { result, ...pages }: RejectedOrder,
): Promise<void> {
  if (result.kind === 'signed_out' || result.kind === 'missing_scope') {
    return sendSignIn(context, exchange, { result, ...pages });
  }
  if (isScript(exchange.request)) return sendJson(context, exchange, { result, ...pages });
  if (result.kind === 'already_paid') {
    return exchange.response.redirect(303, returnUrl(context.app, { ...result, ...pages }));
  }
  return sendPage(context, exchange, { result, ...pages });
}

/** Leads to sign-in and back to the page that offered the plan, because a form cannot be sent again. */
function sendSignIn(
  { app }: RejectionContext,
  { request, response }: VisitorExchange,
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
  { app }: RejectionContext,
  { response }: VisitorExchange,
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
  { app, settings }: RejectionContext,
  exchange: VisitorExchange,
  { result, returnTo, offeredAt }: RejectedOrder<PageRejection>,
): Promise<void> {
  const { response } = exchange;
  const { status } = ERRORS[result.kind];
  if (status === 503) response.setHeader('Retry-After', '5');
  response.status(status);
  const plan = 'plan' in result ? result.plan : undefined;
  const isMember = result.kind === 'already_member';
  await sendCheckoutPage(settings, exchange, {
    state: stateOf(result),
    plan,
    continueUrl: isMember ? returnTo : offeredAt,
    retry: plan === undefined || isMember ? undefined : { action: checkoutPath(app), returnTo },
  });
}

function stateOf(result: PageRejection): CheckoutState {
  return result.kind === 'email_required' && result.isInvalid ? 'email_invalid' : result.kind;
}
