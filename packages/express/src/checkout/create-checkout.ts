import type { OAuthScope } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import type { AppUrl } from '../http/app-url.js';
import type { MembershipDirectory } from '../memberships/directory/membership-directory.js';
import type { MembershipCache } from '../memberships/membership-cache.js';
import { siteMembership } from '../memberships/site-membership.js';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logger.js';
import { LatchkeyOptionsError } from '../platform/options-error.js';
import { ThrottledLog } from '../platform/throttled-log.js';
import { requireVisitor, type Visitor, type VisitorContext } from '../session/request/visitor.js';
import { EndpointTable, rejectMountPath } from '../sign-in/endpoint-table.js';
import type { FreshMemberships } from './begin-checkout.js';
import { type CheckoutEndpointContext, checkoutEndpoint } from './checkout-endpoint.js';
import { type CheckoutOptions, checkoutSchema, readCheckoutOptions } from './checkout-options.js';
import { cancelledEndpoint, plansEndpoint, returnEndpoint } from './checkout-pages.js';
import { CHECKOUT_PATHS } from './checkout-urls.js';
import { ExternalIds } from './external-ids.js';

const FAILURE_LOG_PAUSE_MS = 10_000;

/** Parts of an instance that its checkout needs. */
export interface CheckoutContext {
  app: AppUrl;
  clock: Clock;
  logger: Logger;
  serviceUrl: string;
  timeoutMs: number;
  scopes: readonly OAuthScope[];
  cookieSecrets: readonly string[];
  directory: MembershipDirectory | undefined;
  visitorContext: VisitorContext;
  memberships: MembershipCache;
}

/**
 * Creates the middleware of `auth.checkout`.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function createCheckout(context: CheckoutContext, options: CheckoutOptions): RequestHandler {
  const settings = readCheckoutOptions(checkoutSchema, options, 'auth.checkout');
  const { app, clock, logger, timeoutMs, visitorContext } = context;
  const directory = requireDirectory(context);
  const parts: CheckoutEndpointContext = {
    app,
    settings,
    logger,
    client: settings.client,
    timeoutMs,
    failures: new ThrottledLog({ clock, logger }, FAILURE_LOG_PAUSE_MS),
    externalIds: new ExternalIds([settings.externalIdSecret ?? context.cookieSecrets].flat()),
    readMemberships: (visitor) => readMemberships(directory, visitor),
    pending: new Map(),
    warned: new Set(),
    hasReturned: () => false,
  };
  const endpoints = new EndpointTable(app, {
    [CHECKOUT_PATHS.plans]: { method: 'GET', endpoint: plansEndpoint(settings) },
    [CHECKOUT_PATHS.checkout]: { method: 'POST', endpoint: checkoutEndpoint(parts) },
    [CHECKOUT_PATHS.return]: { method: 'GET', endpoint: returnEndpoint(parts) },
    [CHECKOUT_PATHS.cancelled]: { method: 'GET', endpoint: cancelledEndpoint(parts) },
  });
  return async (request, response, next) => {
    try {
      rejectMountPath(app, request.baseUrl, 'auth.checkout(…)');
      await endpoints.route(request, next, () => ({
        visitor: requireVisitor(visitorContext, 'checkout', request),
        request,
        response,
      }));
    } catch (error) {
      // Express 4 does not handle rejected promises.
      next(error);
    }
  };
}

async function readMemberships(directory: MembershipDirectory, visitor: Visitor): Promise<FreshMemberships> {
  const { memberships, stale = false } = await visitor.findMemberships({
    maxAgeMs: 0,
    ignoreRecentFailure: true,
  });
  const entries = await directory.find(memberships.map(({ id }) => id));
  return {
    memberships: memberships.map((each) => siteMembership(each, entries.get(each.id.toLowerCase()))),
    isStale: stale,
  };
}

function requireDirectory({ scopes, directory }: CheckoutContext): MembershipDirectory {
  if (!scopes.includes('memberships.read')) {
    throw new LatchkeyOptionsError([
      { option: 'scopes', message: 'auth.checkout needs the scope memberships.read. Add it to scopes.' },
    ]);
  }
  if (directory !== undefined) return directory;
  throw new LatchkeyOptionsError([
    {
      option: 'directory',
      message:
        'auth.checkout needs a directory, which tells which plan a visitor has. Set the option directory of latchkey(), for example sqliteDirectory(file).',
    },
  ]);
}
