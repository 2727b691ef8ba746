import type { GateDefinition } from '../gates/checks.js';
import type { Gates } from '../gates/gates.js';
import { runGate } from '../gates/run-gate.js';
import { isSameOrigin, startPath } from '../http/app-url.js';
import { type ErrorBody, sendError } from '../http/json-error.js';
import { type Middleware, middleware } from '../http/middleware.js';
import { optionError } from '../platform/errors.js';
import { ThrottledLog } from '../platform/log.js';
import { type Endpoint, requireVisitor, type Visit } from '../session/visitor.js';
import { endpointRouter, rejectMountPath } from '../sign-in/endpoint-table.js';
import { loginPath } from '../sign-in/return-to.js';
import { beginCheckout } from './begin-checkout.js';
import {
  type CheckoutClient,
  type CheckoutOptions,
  type CheckoutState,
  checkoutSchema,
  type InviteLinkOptions,
  type InviteLinkSettings,
  inviteLinkSchema,
  readCheckoutOptions,
} from './checkout-options.js';
import { CHECKOUT_TEXTS, cancelledEndpoint, plansEndpoint, sendCheckoutPage } from './checkout-page.js';
import {
  CHECKOUT_PATHS,
  checkoutPath,
  isScript,
  pagePath,
  readCheckoutRequest,
  returnUrl,
  sendingPage,
} from './checkout-request.js';
import { respondWithInviteLink } from './invite-link.js';
import { returnEndpoint, returnedMsAgo } from './return-page.js';
import type { Checkout, CheckoutKit, CheckoutRejection, CheckoutResult, Shop } from './service-calls.js';

const FAILURE_LOG_PAUSE_MS = 10_000;

/**
 * Creates the middleware of `auth.checkout`.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function createCheckout(
  kit: CheckoutKit,
  awaitMembership: Gates['awaitMembership'],
  options: CheckoutOptions,
): Middleware {
  const settings = readCheckoutOptions(checkoutSchema, options, 'auth.checkout');
  const { app } = kit;
  const checkout: Checkout = {
    ...shopOf(kit, 'auth.checkout', settings),
    settings,
    awaitMembership,
    pending: new Map(),
    warned: new Set(),
  };
  const route = endpointRouter(app, {
    [CHECKOUT_PATHS.plans]: { method: 'GET', endpoint: plansEndpoint(settings) },
    [CHECKOUT_PATHS.checkout]: { method: 'POST', endpoint: checkoutEndpoint(checkout) },
    [CHECKOUT_PATHS.return]: { method: 'GET', endpoint: returnEndpoint(checkout), isPage: true },
    [CHECKOUT_PATHS.cancelled]: { method: 'GET', endpoint: cancelledEndpoint(checkout) },
  });
  return middleware((request, response, next) => {
    rejectMountPath(app, request.baseUrl, 'auth.checkout(…)');
    return route(request, next, () => ({
      visitor: requireVisitor(kit, 'auth.checkout', request),
      request,
      response,
    }));
  });
}

/**
 * Creates the handler of `auth.inviteLink`.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function createInviteLink(kit: CheckoutKit, options: InviteLinkOptions): Middleware {
  const shop = shopOf(
    kit,
    'auth.inviteLink',
    readCheckoutOptions(inviteLinkSchema, options, 'auth.inviteLink'),
  );
  const gate: GateDefinition = { kit, options: {}, check: (visit) => respondWithInviteLink(shop, visit) };
  return middleware((request, response, next) => {
    const visitor = requireVisitor(kit, 'auth.inviteLink', request);
    return runGate(gate, { visitor, request, response }, next);
  });
}

/** @throws LatchkeyOptionsError for an instance that can't sell. */
function shopOf(
  kit: CheckoutKit,
  name: string,
  { client, externalIdSecret, plans }: InviteLinkSettings,
): Shop {
  requireDirectory(kit, name);
  warnOfOtherService(kit, name, client);
  return {
    kit,
    client,
    plans,
    failures: new ThrottledLog(kit, FAILURE_LOG_PAUSE_MS),
    externalIdSecrets: externalIdSecret === undefined ? kit.cookieSecrets : [externalIdSecret].flat(),
  };
}

/** A membership bought at another service, such as the live one when the app uses a sandbox, opens no gate of this app. */
function warnOfOtherService(
  { service: { serviceUrl }, logger }: CheckoutKit,
  name: string,
  client: CheckoutClient,
): void {
  const other = client.toJSON?.().serviceUrl;
  if (other === undefined || other === serviceUrl) return;
  logger.warn(
    'services_differ',
    `The client of ${name} calls ${other}, but visitors sign in at ${serviceUrl}. Check that both addresses lead to the same service.`,
  );
}

function requireDirectory({ scopes, directory }: CheckoutKit, name: string): void {
  if (!scopes.includes('memberships.read')) {
    throw optionError('scopes', `${name} needs the scope memberships.read. Add it to scopes.`);
  }
  if (directory !== undefined) return;
  throw optionError(
    'directory',
    `${name} needs a directory, which contains the plans of the members. Set the option directory of latchkey(), for example sqliteDirectory(file).`,
  );
}

/** The result of an order, and the pages around it, all paths of the app. */
interface SettledOrder<Result extends CheckoutResult = CheckoutResult> {
  result: Result;
  /** Page to return to after the payment. */
  returnTo: string;
  /** Page that offered the plan. */
  offeredAt: string;
}

/**
 * `POST /auth/checkout`: opens a checkout of a configured plan for the signed-in visitor, and redirects to its payment
 * page (spec, "POST /api/checkout/buy-plan"). Scripts receive the URL as JSON.
 */
function checkoutEndpoint(checkout: Checkout): Endpoint {
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
  // Another site's page must not order for the visitor, or make the visitor pay for the attacker's account.
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

/** Sends the response to an order that didn't open a checkout: a redirect, a page or JSON. */
async function sendCheckoutRejection(
  checkout: Checkout,
  visit: Visit,
  { result, ...pages }: SettledOrder<CheckoutRejection>,
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

/** Leads to sign-in, then back to the page that offered the plan: a form can't be sent again. */
function sendSignIn(
  { kit: { app } }: Checkout,
  { request, response }: Visit,
  { result, offeredAt }: SettledOrder<SignInRejection>,
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
  { result, returnTo }: SettledOrder<OtherRejection>,
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
  { result, returnTo, offeredAt }: SettledOrder<PageRejection>,
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
