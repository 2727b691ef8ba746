import type { ServiceNames } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import type { PaymentLimits } from '../features/checkout/payment-budgets.js';
import type { PaymentProvider } from '../features/checkout/payment-provider.js';
import type { MailService } from '../features/mail/mail-frame.js';
import type { MessengerBot } from '../features/messenger/messenger-bot.js';
import type { ApiReferenceOptions } from '../features/reference/api-reference-options.js';
import type { SignInLimits } from '../features/sign-in/sign-in-budgets.js';
import type { SignInChoices } from '../features/sign-in/sign-in-choices.js';
import type { EndpointPolicy } from '../features/webhooks/endpoint/endpoint-address.js';
import type { BackgroundWork } from '../platform/background/background-work.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/open-database.js';
import type { SchemaWatch } from '../platform/database/schema/schema-status.js';
import type { Readiness } from '../platform/health/readiness.js';
import type { Peers } from '../platform/http/peers.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Mailer } from '../platform/mail/mailer.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import type { Site } from '../web/kit/frame/send-page.js';

/** All services of a running server. This file contains only types, so every wing except the platform may import it. */
export interface Services {
  /** Origin of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly serviceNames: ServiceNames;
  readonly clock: Clock;
  readonly logger: Logger;
  /** URL of one request's log, with `{traceId}` in it. */
  readonly logUrl: string | undefined;
  readonly mailer: Mailer;
  readonly mailService: MailService;
  readonly messengerBot: MessengerBot | undefined;
  readonly payments: PaymentProvider | undefined;
  /** Work that falls due with time: renewals, expiries, deletion of old rows. */
  readonly dueWork: BackgroundWork;
  /** Sends queued emails. Separate from `dueWork`, so a slow mail server delays only emails. */
  readonly outgoingMail: BackgroundWork;
  readonly db: Database;
  readonly schemaWatch: SchemaWatch;
  readonly readiness: Readiness;
  /** Measurements of requests, if the option `metrics` is set. */
  readonly metrics: Metrics | undefined;
  /** Folder of the widget's built files; `undefined` if the widget isn't installed. */
  readonly widgetDirectory: string | undefined;
  /** False if browsers revalidate the widget's scripts on each use. */
  readonly widgetCache: boolean;
  readonly peers: Peers;
  readonly trustProxy: false | number | string;
  readonly site: Site;
  readonly signInChoices: SignInChoices;
  readonly signInLimits: SignInLimits;
  readonly paymentLimits: PaymentLimits;
  readonly apiReference: ApiReferenceOptions;
  readonly webhookPolicy: EndpointPolicy;
  readonly intercept: RequestInterceptor | undefined;
  readonly additionalRoutes: AdditionalRoutes | undefined;
}

export type Needs<Name extends keyof Services> = Pick<Services, Name>;

/** Parts of the running service that additional routes can use. */
export interface RouteContext extends Needs<'baseUrl' | 'serviceNames' | 'clock' | 'db' | 'logger'> {
  /**
   * Runs the work that is due by the service's clock: renews subscriptions, publishes expired memberships, deletes
   * expired data. Sends no webhooks.
   */
  runDueWork(): Promise<void>;
}

/**
 * Creates a handler that runs for each request after the check of its host and before the API's routes. Called once,
 * when the server starts.
 */
export type RequestInterceptor = (context: RouteContext) => RequestHandler;

/** Creates additional routes. Called once, for the first request that no route of the API handles. */
export type AdditionalRoutes = (context: RouteContext) => RequestHandler | Promise<RequestHandler>;
