import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeAccountDeleted } from '../features/account-deletion/account-deleted-mail.js';
import { actingAs } from '../features/audit/audit.js';
import { parseServiceBrand } from '../features/brand/brand.js';
import { createSubscriptionEnder } from '../features/checkout/end-subscriptions.js';
import { createChargeLookUp } from '../features/checkout/look-up-charges.js';
import { checkPaymentLimits } from '../features/checkout/payment-budgets.js';
import { composeReceipt, composeRefunded, composeRenewalFailed } from '../features/checkout/payment-mails.js';
import { createRefundWorker } from '../features/checkout/refunds.js';
import { createRenewalWorker } from '../features/checkout/renew-subscriptions.js';
import { createReversalLookUp } from '../features/checkout/reversals.js';
import { createClosingWorker } from '../features/community-closing/close-community.js';
import { composeEmailChange } from '../features/email-change/email-change-mail.js';
import { composeInvitation } from '../features/invitations/invitation-mail.js';
import { createMailWorker } from '../features/mail/mail-worker.js';
import { createExpiryWorker, createPlanWorker } from '../features/memberships/due-memberships.js';
import { parseServiceNames } from '../features/operator/service-names.js';
import { createPurge } from '../features/retention/purge.js';
import { checkSignInLimits } from '../features/sign-in/sign-in-budgets.js';
import { composeTwoStepMail } from '../features/two-step/two-step-mail.js';
import { deliveryGauges } from '../features/webhooks/log/deliveries.js';
import {
  type BackgroundWork,
  createBackgroundWork,
  type Worker,
} from '../platform/background/background-work.js';
import type { Database } from '../platform/database/open-database.js';
import { createSchemaWatch } from '../platform/database/schema/schema-status.js';
import { createReadiness } from '../platform/health/readiness.js';
import { checkLogUrl } from '../platform/http/request-log.js';
import { isSecure } from '../platform/http/web-origin.js';
import { createMetrics } from '../platform/metrics/metrics.js';
import { PLAIN_SITE } from '../web/kit/frame/send-page.js';
import { checkPayments, checkTrustProxy, openMailer, type ServerOptions } from './options.js';
import type { Needs, Services } from './services.js';
import { createClockWatch } from './watch-clock.js';

/** Milliseconds between rounds. Webhooks about an expired membership are up to this late. */
const MEMBERSHIPS_EVERY_MS = 5_000;
/** Milliseconds between rounds. An order is looked up after 15 minutes, so a minute more doesn't matter. */
const LOOK_UPS_EVERY_MS = 60_000;
/** Milliseconds between rounds. Expired rows do no harm while they wait for deletion. */
const PURGE_EVERY_MS = 10 * 60_000;
const CLOCK_EVERY_MS = 10 * 60_000;
/** Milliseconds between checks of the schema. `/readyz` checks it more often, but some deployments never call it. */
const SCHEMA_EVERY_MS = 60_000;

function createDueWork(
  services: Needs<'db' | 'clock' | 'logger' | 'payments' | 'schemaWatch'>,
): BackgroundWork {
  const { payments, logger, schemaWatch, clock } = services;
  const bySystem = (worker: Worker): Worker => ({
    name: worker.name,
    runOnce: (signal) => actingAs('system', clock, () => worker.runOnce(signal)),
  });
  const checkSchema = async () => {
    await schemaWatch.fits();
    return 0;
  };
  const memberships = [createMembershipWorker(services), createExpiryWorker(services, 'final')];
  const lookUps =
    payments === undefined
      ? []
      : [createChargeLookUp, createRefundWorker, createReversalLookUp, createSubscriptionEnder].map(
          (create) => create({ ...services, payments }),
        );
  return createBackgroundWork(
    [
      // Each has a separate round: a slow payment provider must not delay the others.
      ...[...memberships, createPlanWorker(services)].map((worker) => ({
        workers: [bySystem(worker)],
        everyMs: MEMBERSHIPS_EVERY_MS,
      })),
      ...lookUps.map((worker) => ({ workers: [bySystem(worker)], everyMs: LOOK_UPS_EVERY_MS })),
      { workers: [bySystem(createClosingWorker(services))], everyMs: LOOK_UPS_EVERY_MS },
      { workers: [createPurge(services)], everyMs: PURGE_EVERY_MS },
      { workers: [createClockWatch(services)], everyMs: CLOCK_EVERY_MS },
      { workers: [{ name: 'schema', runOnce: checkSchema }], everyMs: SCHEMA_EVERY_MS },
    ],
    logger,
  );
}

/** A membership is announced as expired only after its renewal was tried. If none can be listed, none is announced. */
function createMembershipWorker(needs: Needs<'db' | 'clock' | 'logger' | 'payments'>): Worker {
  const renewals = createRenewalWorker(needs);
  const expiry = createExpiryWorker(needs, 'renewable');
  return {
    name: renewals.name,
    runOnce: async (signal) => (await renewals.runOnce(signal)) + (await expiry.runOnce(signal)),
  };
}

/** Milliseconds between rounds. Buyers look for the receipt after they pay. */
const MAIL_EVERY_MS = 1_000;

function createOutgoingMail(
  services: Needs<'db' | 'clock' | 'logger' | 'mailer' | 'mailService'>,
): BackgroundWork {
  const composers = {
    receipt: composeReceipt,
    refunded: composeRefunded,
    'renewal-failed': composeRenewalFailed,
    invitation: composeInvitation,
    'two-step': composeTwoStepMail,
    'email-change': composeEmailChange,
    'account-deleted': composeAccountDeleted,
  };
  const worker = createMailWorker(services, composers);
  return createBackgroundWork([{ workers: [worker], everyMs: MAIL_EVERY_MS }], services.logger);
}

/** Creates the services that observe the server itself. Metrics are created only if the options ask for them. */
export async function measureService(
  { db, clock, logger }: Needs<'db' | 'clock' | 'logger'>,
  options: ServerOptions,
): Promise<Needs<'schemaWatch' | 'readiness' | 'metrics'>> {
  const schemaWatch = createSchemaWatch({ db, logger });
  const readiness = createReadiness({ ping: () => pingDatabase(db), schemaFits: () => schemaWatch.fits() });
  return {
    schemaWatch,
    readiness,
    metrics: options.metrics && (await createMetrics({ readiness, gauges: deliveryGauges({ db, clock }) })),
  };
}

/** @throws Error about an option that is missing or invalid. */
export function chosenServices(options: ServerOptions) {
  const { widgetAssets, logUrl } = options;
  return {
    mailer: openMailer(options),
    serviceNames: parseServiceNames(options.serviceNames),
    logUrl: logUrl === undefined ? undefined : checkLogUrl(logUrl),
    messengerBot: options.messengerBot,
    payments: checkPayments(options.payments),
    widgetDirectory: widgetAssets?.directory ?? findWidgetDirectory(),
    widgetCache: widgetAssets?.cache ?? true,
    trustProxy: checkTrustProxy(options.trustProxy),
    site: { ...(options.site ?? PLAIN_SITE), brand: parseServiceBrand(options.brand) },
    signInChoices: options.signInChoices ?? {},
    signInLimits: checkSignInLimits(options.signInLimits),
    paymentLimits: checkPaymentLimits(options.paymentLimits),
    apiReference: options.apiReference ?? {},
    webhookPolicy: { allowLoopback: options.webhookTargets === 'public-and-loopback' },
    intercept: options.intercept,
    additionalRoutes: options.routes,
  };
}

export function createServices(
  parts: Omit<Services, 'mailService' | 'dueWork' | 'outgoingMail' | 'peers'>,
  { peers = isSecure(parts.baseUrl) ? 'any' : 'this-machine' }: Pick<ServerOptions, 'peers'> = {},
): Services {
  const mailService = { baseUrl: parts.baseUrl, brand: parts.site.brand };
  const outgoingMail = createOutgoingMail({ ...parts, mailService });
  return { ...parts, mailService, outgoingMail, dueWork: createDueWork(parts), peers };
}

function findWidgetDirectory(): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.resolve('@latchkey/widget/latchkey.js')));
  } catch {
    return undefined;
  }
}

async function pingDatabase(db: Database): Promise<void> {
  // Every schema version has this table. A database without it was never migrated, so it isn't ready.
  await db.selectFrom('users').select('id').limit(1).execute();
}
