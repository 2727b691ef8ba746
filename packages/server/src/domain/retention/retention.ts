import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import { type RawBuilder, sql } from '../../platform/database/kysely.js';

/** Retention rule of a table. */
export interface Retention {
  table: string;
  key: string;
  /** Column with the instant at which a row expires. */
  endsAt: string;
  /** Time that an expired row is kept, in milliseconds. */
  keptMs: number;
  /** Restricts the rule to the rows of a partial index. */
  only?: RawBuilder<unknown>;
  /** Rows that match this condition are kept. */
  unless?: RawBuilder<unknown>;
  /** Rows of other tables that belong to a row of this one. They are deleted before it. */
  parts?: readonly RetentionPart[];
}

/** Rows that are deleted with a row of another table, of which it can have any number. */
export interface RetentionPart extends Pick<Retention, 'table' | 'key' | 'unless' | 'parts'> {
  /** Column with the key of the other row. */
  parent: string;
}

/**
 * Retention of expired rows. An expired row and a deleted one lead to the same response (`invalid_grant`,
 * `invalid_token`, 404). Rows are kept longer where they still carry information:
 *
 * - An authorization code is kept while a token issued for it can be used. A second redemption revokes those tokens (RFC
 *   6749 section 4.1.2).
 * - A token pair is kept until its refresh token expires, even if the token was rotated long before.
 * - A checkout's address leads back to the shop for a month. The reservation is deleted with its last address. A
 *   reservation with a payment, successful or not, is kept for ever: invite links and sales refer to it.
 * - A form submission is remembered for a month. Older tabs are unlikely to submit the form again.
 * - A finished mail shows for a week that it was sent. It no longer contains its recipient.
 * - Webhook events can be viewed and resent for a month. They are kept while a delivery is pending.
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
  {
    table: 'second_factor_setups',
    key: 'session_hash',
    endsAt: 'expires_at',
    keptMs: 0,
  },
  {
    table: 'second_step_attempts',
    key: 'attempt_hash',
    endsAt: 'expires_at',
    keptMs: HOUR_MS,
  },
  { table: 'sign_in_budgets', key: 'key_hash', endsAt: 'ends_at', keptMs: 0 },
  { table: 'known_browsers', key: 'secret_hash', endsAt: 'expires_at', keptMs: 0 },
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
  {
    table: 'messenger_invites',
    key: 'id',
    endsAt: 'expires_at',
    keptMs: 30 * DAY_MS,
    parts: [{ table: 'messenger_join_requests', key: 'id', parent: 'invite_id' }],
  },
  { table: 'invitations', key: 'id', endsAt: 'expires_at', keptMs: 0 },
  {
    table: 'mail_outbox',
    key: 'id',
    endsAt: 'finished_at',
    keptMs: 7 * DAY_MS,
    only: sql`finished_at is not null`,
  },
  { table: 'opt_out_links', key: 'secret_hash', endsAt: 'expires_at', keptMs: 0 },
  {
    table: 'webhook_events',
    key: 'id',
    endsAt: 'created_at',
    keptMs: 30 * DAY_MS,
    unless: sql`exists (select 1 from webhook_deliveries
      where webhook_deliveries.event_id = webhook_events.id and webhook_deliveries.status = 'pending')`,
    parts: [
      {
        table: 'webhook_deliveries',
        key: 'id',
        parent: 'event_id',
        unless: sql`webhook_deliveries.status = 'pending'`,
        parts: [{ table: 'webhook_attempts', key: 'id', parent: 'delivery_id' }],
      },
    ],
  },
];
