import type { ServiceNames } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/open-database.js';
import type { Logger } from '../platform/logging/logger.js';

/** Parts of the running service that additional routes can use. */
export interface RouteContext {
  /** Origin of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Names of the service, where the spec has stand-ins. */
  readonly serviceNames: ServiceNames;
  readonly clock: Clock;
  readonly db: Database;
  readonly logger: Logger;
  /**
   * Runs the work that is due by the service's clock: renews subscriptions, publishes expired memberships, deletes
   * expired data. Sends no webhooks.
   */
  runDueWork(): Promise<void>;
}

/**
 * Creates a handler that each request passes before the routes of the API, after the check of its host. Called once, when
 * the server starts.
 */
export type RequestInterceptor = (context: RouteContext) => RequestHandler;

/** Creates additional routes. Called once, with the first request that no route of the API answers. */
export type AdditionalRoutes = (context: RouteContext) => RequestHandler | Promise<RequestHandler>;
