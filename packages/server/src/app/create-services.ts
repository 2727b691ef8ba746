import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseServiceBrand } from '../domain/brand/service-brand.js';
import { checkSignInLimits } from '../domain/sign-in/sign-in-limits.js';
import { deliveryGauges } from '../domain/webhooks/log/delivery-gauges.js';
import { createSchemaWatch } from '../platform/database/schema/schema-watch.js';
import { pingDatabase } from '../platform/health/ping-database.js';
import { createReadiness } from '../platform/health/readiness.js';
import { createMetrics } from '../platform/metrics/metrics.js';
import { PLAIN_SITE } from '../web/ui/frame/site.js';
import { createDueWork } from './due-work.js';
import { checkTrustProxy, type ServerOptions } from './options.js';
import { createOutgoingMail } from './outgoing-mail.js';
import type { Services } from './services.js';

/** Services that `startServer` opens one after another, because each can fail. */
export type OpenedParts = Pick<
  Services,
  'baseUrl' | 'serviceNames' | 'clock' | 'logger' | 'mailer' | 'db' | 'schemaWatch' | 'readiness' | 'metrics'
>;

/** Creates the services that observe the server itself. Metrics are created only if the options ask for them. */
export async function measureService(
  { db, clock, logger }: Pick<Services, 'db' | 'clock' | 'logger'>,
  options: ServerOptions,
): Promise<Pick<Services, 'schemaWatch' | 'readiness' | 'metrics'>> {
  const schemaWatch = createSchemaWatch({ db, logger });
  const readiness = createReadiness({ ping: () => pingDatabase(db), schemaFits: () => schemaWatch.fits() });
  return {
    schemaWatch,
    readiness,
    metrics: options.metrics && (await createMetrics({ readiness, gauges: deliveryGauges({ db, clock }) })),
  };
}

/** Adds the services that the options choose, with their defaults. */
export function createServices(parts: OpenedParts, options: ServerOptions): Services {
  const { payments, widgetAssets } = options;
  const site = { ...(options.site ?? PLAIN_SITE), brand: parseServiceBrand(options.brand) };
  const mailService = { baseUrl: parts.baseUrl, brand: site.brand };
  return {
    ...parts,
    logUrl: options.logUrl,
    messengerBot: options.messengerBot,
    payments,
    mailService,
    dueWork: createDueWork({ ...parts, payments }),
    outgoingMail: createOutgoingMail({ ...parts, mailService }),
    widgetDirectory: widgetAssets?.directory ?? findWidgetDirectory(),
    widgetCache: widgetAssets?.cache ?? true,
    trustProxy: checkTrustProxy(options.trustProxy),
    site,
    signInChoices: options.signInChoices ?? {},
    signInLimits: checkSignInLimits(options.signInLimits),
    apiReference: options.apiReference ?? {},
    webhookPolicy: { allowLoopback: options.webhookTargets === 'public-and-loopback' },
    intercept: options.intercept,
    additionalRoutes: options.routes,
  };
}

/** Returns the folder of the installed widget's built files, or `undefined` if the widget is not installed. */
function findWidgetDirectory(): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.resolve('@latchkey/widget/latchkey.js')));
  } catch {
    return undefined;
  }
}
