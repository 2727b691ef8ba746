import type { Database } from '../../platform/database/open-database.js';

/** Checkout for which an invite link can be created. */
export interface InvitableCheckout {
  communityId: string;
  buyerId: string;
  /** Owner of the API key that opened the checkout. */
  callerId: string | null;
  isPaid: boolean;
}

const selectCheckouts = (db: Database, externalId: string) =>
  db
    .selectFrom('checkout_reservations')
    .select(['community_id', 'user_id', 'caller_id', 'paid_at'])
    .where('external_id', '=', externalId)
    .where('community_id', 'is not', null);

type CheckoutQuery = ReturnType<typeof selectCheckouts>;

/**
 * Finds the checkout of an external id. The caller's own checkout precedes those of other callers. A paid one precedes an
 * open one, and the newest payment precedes older ones.
 */
export async function findInvitableCheckout(
  db: Database,
  { externalId, callerId }: { externalId: string; callerId: string },
): Promise<InvitableCheckout | undefined> {
  const newestPaid = (query: CheckoutQuery) =>
    query
      .where('paid_at', 'is not', null)
      .orderBy('paid_at', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  const open = (query: CheckoutQuery) => query.where('paid_at', 'is', null).limit(1).executeTakeFirst();
  const own = () => selectCheckouts(db, externalId).where('caller_id', '=', callerId);
  const row =
    (await newestPaid(own())) ??
    (await open(own())) ??
    (await newestPaid(selectCheckouts(db, externalId))) ??
    (await open(selectCheckouts(db, externalId)));
  if (row === undefined || row.community_id === null) return undefined;
  return {
    communityId: row.community_id,
    buyerId: row.user_id,
    callerId: row.caller_id,
    isPaid: row.paid_at !== null,
  };
}
