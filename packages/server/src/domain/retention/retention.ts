import { type RawBuilder, sql } from '../../platform/database/kysely.js';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** What is deleted, and when. */
export interface Retention {
  table: string;
  key: string;
  /** The instant from which it is of no use any more. */
  endsAt: string;
  /** How much longer it is kept. */
  keptMs: number;
  /** Only these rows are looked at: what an index of their own is for. */
  only?: RawBuilder<unknown>;
  /** Of those, rows that this condition holds for stay. */
  unless?: RawBuilder<unknown>;
}

/**
 * How long what has ended is kept. None of it opens anything any more, so a deleted row and an ended one get the same
 * answer (`invalid_grant`, `invalid_token`, a 404); what is kept on is kept for what can still be told from it.
 *
 * - A code outlives its own end for as long as any token that came of it can be used: redeemed a second time, it ends
 *   them (RFC 6749 section 4.1.2).
 * - A token pair is kept until its refresh token could not be used any more, also when it was spent long before.
 * - Codes and addresses of sign-ins are counted for a quarter of an hour.
 * - A checkout's address shows the way back to the shop for a month, and leads who has paid there again to the shop. The
 *   reservation goes with its last address; one that was paid, or tried to be, stays for ever: invite links and
 *   sales are about it.
 * - A form that was taken is known for a month: nobody sends an old tab's form again after that.
 * - Webhook events can be looked at and sent again for a month, and stay while a delivery is still to be made.
 */
export const RETENTION: readonly Retention[] = [
  { table: 'token_pairs', key: 'id', endsAt: 'refresh_expires_at', keptMs: DAY_MS },
  {
    table: 'authorization_codes',
    key: 'id',
    endsAt: 'expires_at',
    keptMs: DAY_MS,
    unless: sql`exists (select 1 from token_pairs where token_pairs.code_id = authorization_codes.id)`,
  },
  { table: 'user_sessions', key: 'id_hash', endsAt: 'expires_at', keptMs: 0 },
  { table: 'sign_in_codes', key: 'attempt_hash', endsAt: 'expires_at', keptMs: HOUR_MS },
  { table: 'sign_in_addresses', key: 'email', endsAt: 'last_asked_at', keptMs: HOUR_MS },
  { table: 'checkout_links', key: 'secret_hash', endsAt: 'expires_at', keptMs: 30 * DAY_MS },
  {
    table: 'checkout_reservations',
    key: 'id',
    endsAt: 'created_at',
    keptMs: 31 * DAY_MS,
    only: sql`paid_at is null`,
    unless: sql`exists (select 1 from checkout_links where reservation_id = checkout_reservations.id)
      or exists (select 1 from payments where reservation_id = checkout_reservations.id)`,
  },
  { table: 'form_submissions', key: 'id', endsAt: 'submitted_at', keptMs: 30 * DAY_MS },
  { table: 'messenger_invites', key: 'id', endsAt: 'expires_at', keptMs: 30 * DAY_MS },
  {
    table: 'webhook_events',
    key: 'id',
    endsAt: 'created_at',
    keptMs: 30 * DAY_MS,
    unless: sql`exists (select 1 from webhook_deliveries
      where webhook_deliveries.event_id = webhook_events.id and webhook_deliveries.status = 'pending')`,
  },
];
