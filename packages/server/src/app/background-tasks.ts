import { createRenewals } from '../domain/checkout/renew-subscriptions.js';
import { createLapseAnnouncer } from '../domain/memberships/announce-expiry.js';
import { createPurge } from '../domain/retention/purge.js';
import { type BackgroundWork, createBackgroundWork } from '../platform/background/background-work.js';
import type { Services } from './services.js';

/** Often enough that nobody waits long to hear of a lapse; a renewal has an hour. */
const MEMBERSHIPS_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 10 * 60_000;

/** What time does to memberships and to what has expired. */
export function createLifecycle(
  services: Pick<Services, 'db' | 'clock' | 'logger' | 'payments'>,
): BackgroundWork {
  const { payments, logger } = services;
  // What can be renewed is, before anything is told to have lapsed.
  const renewals = payments === undefined ? [] : [createRenewals({ ...services, payments })];
  return createBackgroundWork(
    [
      { workers: [...renewals, createLapseAnnouncer(services)], everyMs: MEMBERSHIPS_EVERY_MS },
      { workers: [createPurge(services)], everyMs: PURGE_EVERY_MS },
    ],
    logger,
  );
}
