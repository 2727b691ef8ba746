import { createChargeLookUp } from '../domain/checkout/look-up-charges.js';
import type { PaymentProvider } from '../domain/checkout/payment-provider.js';
import { createRenewalWorker } from '../domain/checkout/renew-subscriptions.js';
import { createExpiryWorker } from '../domain/memberships/announce-expiry.js';
import { createPurge } from '../domain/retention/purge.js';
import {
  type BackgroundWork,
  createBackgroundWork,
  type Worker,
} from '../platform/background/background-work.js';
import type { Services } from './services.js';
import { createClockWatch } from './watch-clock.js';

/** Milliseconds between rounds. Webhooks about an expired membership are at most this late. */
const MEMBERSHIPS_EVERY_MS = 5_000;
/** Milliseconds between rounds. An order is looked up after 15 minutes, so a minute more does not matter. */
const LOOK_UPS_EVERY_MS = 60_000;
/** Milliseconds between rounds. Expired rows do no harm while they wait for deletion. */
const PURGE_EVERY_MS = 10 * 60_000;
/** Milliseconds between comparisons with the clock of the database. */
const CLOCK_EVERY_MS = 10 * 60_000;
/** Milliseconds between comparisons of the schema. `/readyz` compares it more often, but some deployments never call it. */
const SCHEMA_EVERY_MS = 60_000;

/**
 * Creates the work that only the passing of time makes due: renewals, look-ups of charges, events about expired memberships, deletion
 * of old rows, checks of the clock and the schema.
 */
export function createDueWork(
  services: Pick<Services, 'db' | 'clock' | 'logger' | 'payments' | 'schemaWatch'>,
): BackgroundWork {
  const { payments, logger } = services;
  const memberships =
    payments === undefined
      ? [createExpiryWorker(services)]
      : [createMembershipWorker({ ...services, payments }), createExpiryWorker(services, 'final')];
  const lookUps = payments === undefined ? [] : [createChargeLookUp({ ...services, payments })];
  return createBackgroundWork(
    [
      // Each in a round of its own: a slow payment provider must not delay the others.
      ...memberships.map((worker) => ({ workers: [worker], everyMs: MEMBERSHIPS_EVERY_MS })),
      ...lookUps.map((worker) => ({ workers: [worker], everyMs: LOOK_UPS_EVERY_MS })),
      { workers: [createPurge(services)], everyMs: PURGE_EVERY_MS },
      { workers: [createClockWatch(services)], everyMs: CLOCK_EVERY_MS },
      { workers: [createSchemaWorker(services)], everyMs: SCHEMA_EVERY_MS },
    ],
    logger,
  );
}

/**
 * Creates the work on the memberships that can be renewed. A membership is announced as expired only after its renewal was tried.
 * If the renewals cannot be listed, nothing is announced.
 */
function createMembershipWorker(
  needs: Pick<Services, 'db' | 'clock' | 'logger'> & { payments: PaymentProvider },
): Worker {
  const renewals = createRenewalWorker(needs);
  const expiry = createExpiryWorker(needs, 'renewable');
  return {
    name: renewals.name,
    runOnce: async (signal) => (await renewals.runOnce(signal)) + (await expiry.runOnce(signal)),
  };
}

/** Creates the work that logs a schema that this version no longer works on. */
function createSchemaWorker({ schemaWatch }: Pick<Services, 'schemaWatch'>): Worker {
  return {
    name: 'schema',
    async runOnce() {
      await schemaWatch.fits();
      return 0;
    },
  };
}
