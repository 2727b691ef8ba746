import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret } from '../../platform/secrets.js';
import { findByEmailIn } from '../users/identified-user.js';
import { insertUnprovenUser } from '../users/users.js';
import { CHECKOUT_LIFETIME_SECONDS } from './checkout.js';
import { type OfferSubject, subjectColumns } from './offer.js';

/** Checkout to open. */
export interface NewCheckout {
  subject: OfferSubject;
  /** By email address, the buyer is found as the community sees it, or created. */
  buyer: { email: string; communityId: string } | { id: string };
  /** Owner of the API key and their identifier for the buyer; null if the buyer opens it on a page of the service. */
  caller: { id: string; externalId: string } | null;
  successUrl: string;
  cancelUrl: string;
  utmSource: string | null;
}

/**
 * Opens a checkout and returns the secret of its address. Opening an unpaid external id again changes its reservation,
 * also concurrently. Earlier addresses then lead to the changed reservation.
 */
export function openCheckout(db: Database, checkout: NewCheckout, now: number): Promise<string> {
  const secret = createOpaqueSecret();
  return inTransaction(db, async (transaction) => {
    const reservationId = await reserve(transaction, checkout, now);
    await transaction
      .insertInto('checkout_links')
      .values({
        secret_hash: secret.hash,
        reservation_id: reservationId,
        expires_at: now + CHECKOUT_LIFETIME_SECONDS * 1000,
      })
      .execute();
    return secret.text;
  });
}

/** Inserts the reservation, or updates the caller's unpaid reservation with the same external id. */
async function reserve(
  transaction: Database,
  { subject, buyer, caller, successUrl, cancelUrl, utmSource }: NewCheckout,
  now: number,
): Promise<string> {
  const buyerId = 'id' in buyer ? buyer.id : await findOrCreateBuyer(transaction, buyer, now);
  const reserved = {
    ...subjectColumns(subject),
    user_id: buyerId,
    success_url: successUrl,
    cancel_url: cancelUrl,
    utm_source: utmSource,
  };
  const { id } = await transaction
    .insertInto('checkout_reservations')
    .values({
      id: randomUUID(),
      caller_id: caller?.id ?? null,
      external_id: caller?.externalId ?? null,
      ...reserved,
      created_at: now,
      paid_at: null,
      membership_id: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['caller_id', 'external_id'])
        .where('paid_at', 'is', null)
        .doUpdateSet({ ...reserved, created_at: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function findOrCreateBuyer(
  transaction: Database,
  { email, communityId }: { email: string; communityId: string },
  now: number,
): Promise<string> {
  const buyer = await findByEmailIn(transaction, { email, communityId });
  return buyer?.id ?? (await insertUnprovenUser(transaction, email, now));
}
