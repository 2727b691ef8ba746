import type { OAuthScope } from '@latchkey/contract/constants';
import type { OAuthService } from '@latchkey/oauth';
import type { LatchkeyPages, UpgradeUrl } from '../gates/gate-options.js';
import type { Gates } from '../gates/gates.js';
import { type GateDefinition, runGate } from '../gates/run-gate.js';
import type { AppUrl } from '../http/app-url.js';
import type { CookieScope } from '../http/cookies.js';
import { type Middleware, middleware } from '../http/middleware.js';
import type { Clock } from '../platform/clock.js';
import { LatchkeyOptionsError } from '../platform/errors.js';
import { type Logger, logMessage, ThrottledLog } from '../platform/log.js';
import { requireVisitor, type Visitor, type VisitorContext } from '../session/visitor.js';
import { EndpointTable, rejectMountPath } from '../sign-in/endpoint-table.js';
import type { MembershipDirectory } from '../stores/kit-store.js';
import { type FreshMemberships, readBuyer } from './begin-checkout.js';
import { type CheckoutEndpointContext, checkoutEndpoint } from './checkout-endpoint.js';
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
import { type InviteLinkContext, respondWithInviteLink } from './invite-link.js';
import { RecentReturns, returnEndpoint } from './return-page.js';
import { ExternalIds } from './service-calls.js';

const FAILURE_LOG_PAUSE_MS = 10_000;

/** Parts of an instance that its checkout needs. */
export interface CheckoutContext {
  app: AppUrl;
  clock: Clock;
  logger: Logger;
  service: OAuthService;
  /** Without a trailing slash. */
  serviceUrl: string;
  pages: LatchkeyPages;
  upgradeUrl: UpgradeUrl | undefined;
  timeoutMs: number;
  scopes: readonly OAuthScope[];
  cookieSecrets: readonly string[];
  directory: MembershipDirectory | undefined;
  visitorContext: VisitorContext;
  awaitMembership: Gates['awaitMembership'];
  /** Cookie of {@link RecentReturns}. */
  returnCookie: CookieScope;
}

/**
 * Creates the middleware of `auth.checkout`.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function createCheckout(context: CheckoutContext, options: CheckoutOptions): Middleware {
  const settings = readCheckoutOptions(checkoutSchema, options, 'auth.checkout');
  const { app, clock, visitorContext, awaitMembership } = context;
  const recentReturns = new RecentReturns(context.returnCookie, clock);
  const parts: CheckoutEndpointContext = {
    ...serviceParts(context, 'auth.checkout', settings),
    readBuyer: (session) => readBuyer(context, session),
    settings,
    pending: new Map(),
    warned: new Set(),
    hasReturned: (exchange, planId) => recentReturns.elapsedMs(exchange, planId) !== undefined,
  };
  const endpoints = new EndpointTable(app, {
    [CHECKOUT_PATHS.plans]: { method: 'GET', endpoint: plansEndpoint(settings) },
    [CHECKOUT_PATHS.checkout]: { method: 'POST', endpoint: checkoutEndpoint(parts) },
    [CHECKOUT_PATHS.return]: {
      method: 'GET',
      endpoint: returnEndpoint({ ...parts, awaitMembership, recentReturns }),
    },
    [CHECKOUT_PATHS.cancelled]: { method: 'GET', endpoint: cancelledEndpoint(parts) },
  });
  return middleware((request, response, next) => {
    rejectMountPath(app, request.baseUrl, 'auth.checkout(…)');
    return endpoints.route(request, next, () => ({
      visitor: requireVisitor(visitorContext, 'auth.checkout', request),
      request,
      response,
    }));
  });
}

/**
 * Creates the handler of `auth.inviteLink`.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function createInviteLink(context: CheckoutContext, options: InviteLinkOptions): Middleware {
  const settings = readCheckoutOptions(inviteLinkSchema, options, 'auth.inviteLink');
  const { app, visitorContext, pages, upgradeUrl } = context;
  const parts: InviteLinkContext = {
    ...serviceParts(context, 'auth.inviteLink', settings),
    plans: settings.plans,
  };
  const gate: GateDefinition = {
    app,
    pages,
    upgradeUrl,
    options: {},
    check: (exchange) => respondWithInviteLink(parts, exchange),
  };
  return middleware((request, response, next) => {
    const visitor = requireVisitor(visitorContext, 'auth.inviteLink', request);
    return runGate(gate, { visitor, request, response }, next);
  });
}

/** Parts that call the service for a visitor. */
function serviceParts(
  context: CheckoutContext,
  name: string,
  { client, externalIdSecret }: InviteLinkSettings,
) {
  const { app, clock, logger, timeoutMs } = context;
  requireDirectory(context, name);
  warnOfOtherService(context, name, client);
  return {
    app,
    client,
    logger,
    timeoutMs,
    failures: new ThrottledLog({ clock, logger }, FAILURE_LOG_PAUSE_MS),
    externalIds: new ExternalIds(
      externalIdSecret === undefined ? context.cookieSecrets : [externalIdSecret].flat(),
    ),
    readMemberships,
  };
}

async function readMemberships(visitor: Visitor): Promise<FreshMemberships> {
  const { memberships, stale } = await visitor.findMemberships({ maxAgeMs: 0, ignoreRecentFailure: true });
  return { memberships, isStale: stale };
}

/** A membership bought at another service, such as the live one beside a sandbox, opens no gate of this app. */
function warnOfOtherService(
  { serviceUrl, logger }: CheckoutContext,
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

function requireDirectory({ scopes, directory }: CheckoutContext, name: string): void {
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
