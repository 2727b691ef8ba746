import type { Gates } from '../gates/gates.js';
import { type GateDefinition, runGate } from '../gates/run-gate.js';
import { type Middleware, middleware } from '../http/middleware.js';
import { LatchkeyOptionsError } from '../platform/errors.js';
import { logMessage, ThrottledLog } from '../platform/log.js';
import { requireVisitor } from '../session/visitor.js';
import { EndpointTable, rejectMountPath } from '../sign-in/endpoint-table.js';
import { checkoutEndpoint } from './checkout-endpoint.js';
import {
  type CheckoutClient,
  type CheckoutOptions,
  checkoutSchema,
  type InviteLinkOptions,
  type InviteLinkSettings,
  inviteLinkSchema,
  readCheckoutOptions,
} from './checkout-options.js';
import { cancelledEndpoint, plansEndpoint } from './checkout-page.js';
import { CHECKOUT_PATHS } from './checkout-request.js';
import { respondWithInviteLink } from './invite-link.js';
import { returnEndpoint } from './return-page.js';
import { type Checkout, type CheckoutKit, ExternalIds, type Shop } from './service-calls.js';

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
  const endpoints = new EndpointTable(app, {
    [CHECKOUT_PATHS.plans]: { method: 'GET', endpoint: plansEndpoint(settings) },
    [CHECKOUT_PATHS.checkout]: { method: 'POST', endpoint: checkoutEndpoint(checkout) },
    [CHECKOUT_PATHS.return]: { method: 'GET', endpoint: returnEndpoint(checkout) },
    [CHECKOUT_PATHS.cancelled]: { method: 'GET', endpoint: cancelledEndpoint(checkout) },
  });
  return middleware((request, response, next) => {
    rejectMountPath(app, request.baseUrl, 'auth.checkout(…)');
    return endpoints.route(request, next, () => ({
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
    externalIds: new ExternalIds(
      externalIdSecret === undefined ? kit.cookieSecrets : [externalIdSecret].flat(),
    ),
  };
}

/** A membership bought at another service, such as the live one beside a sandbox, opens no gate of this app. */
function warnOfOtherService(
  { service: { serviceUrl }, logger }: CheckoutKit,
  name: string,
  client: CheckoutClient,
): void {
  const other = client.toJSON?.().serviceUrl;
  if (other === undefined || other === serviceUrl) return;
  logger.warn(
    logMessage(
      'services_differ',
      `The client of ${name} calls ${other}, but visitors sign in at ${serviceUrl}. Check that both addresses lead to the same service.`,
    ),
  );
}

function requireDirectory({ scopes, directory }: CheckoutKit, name: string): void {
  if (!scopes.includes('memberships.read')) {
    throw new LatchkeyOptionsError([
      { option: 'scopes', message: `${name} needs the scope memberships.read. Add it to scopes.` },
    ]);
  }
  if (directory !== undefined) return;
  throw new LatchkeyOptionsError([
    {
      option: 'directory',
      message: `${name} needs a directory, which contains the plans of the members. Set the option directory of latchkey(), for example sqliteDirectory(file).`,
    },
  ]);
}
