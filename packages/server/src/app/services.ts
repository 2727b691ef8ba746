import type { PaymentProvider } from '../domain/checkout/payment-provider.js';
import type { MessengerBot } from '../domain/messenger/messenger-bot.js';
import type { EndpointPolicy } from '../domain/webhooks/endpoint-address.js';
import type { BackgroundWork } from '../platform/background/background-work.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/open-database.js';
import type { Readiness } from '../platform/health/readiness.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Mailer } from '../platform/mail/mailer.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import type { ApiReferenceOptions } from '../web/reference/api-reference-options.js';
import type { SignInChoices } from '../web/sign-in/sign-in-choices.js';
import type { Site } from '../web/ui/site.js';
import type { AdditionalRoutes } from './additional-routes.js';

/** What every route gets; made once, by startServer. */
export interface Services {
  /** The service's own origin, without a slash at the end. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Address of the log of one request, with `{traceId}` in it; `undefined` when there is none to tell. */
  readonly logUrl: string | undefined;
  readonly mailer: Mailer;
  /** Makes invite links and lets people in; `undefined` when the service has no messenger. */
  readonly messengerBot: MessengerBot | undefined;
  /** Who takes payments; `undefined` when nobody does, and nothing can be bought. */
  readonly payments: PaymentProvider | undefined;
  /** What time does to memberships; who moves the clock runs it. */
  readonly lifecycle: BackgroundWork;
  readonly db: Database;
  /** Whether this process should be sent requests. */
  readonly readiness: Readiness;
  /** What measures requests; `undefined` when nobody asked for metrics. */
  readonly metrics: Metrics | undefined;
  /** Folder of the widget's two built files; `undefined` when they could not be found. */
  readonly widgetDirectory: string | undefined;
  /** False if browsers revalidate the widget's scripts on each use. */
  readonly widgetCache: boolean;
  /** What Express is told of proxies in front of it. */
  readonly trustProxy: boolean | number | string;
  readonly site: Site;
  readonly signInChoices: SignInChoices;
  readonly apiReference: ApiReferenceOptions;
  /** Addresses that webhooks may have. */
  readonly webhookPolicy: EndpointPolicy;
  readonly additionalRoutes: AdditionalRoutes | undefined;
}
