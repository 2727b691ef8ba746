import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from './migration.js';

/** Creates the schema. Times are milliseconds since the epoch. The types in `schema.ts` describe the columns. */
export const initial: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    for (const statement of SCHEMA.split(';')) await sql.raw(statement).execute(db);
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const statement of isPostgres ? APPEND_ONLY_POSTGRES : APPEND_ONLY_SQLITE)
      await sql.raw(statement).execute(db);
    // A refresh changes its old pair once. With room on the page, the changed row stays there and the six indexes need
    // no new entry. SQLite changes rows in place anyway.
    if (isPostgres) await sql`alter table token_pairs set (fillfactor = 90)`.execute(db);
  },
};

const SCHEMA = `
create table users (
  id text primary key,
  email text unique,
  name text,
  messenger_user_id bigint unique,
  created_at bigint not null,
  email_verified_at bigint,
  deleted_at bigint,
  language text
);
create index users_claimed on users (created_at, id) where email is null and messenger_user_id is null and deleted_at is null;
create table communities (
  id text primary key,
  name text not null,
  created_at bigint not null,
  logo_url text,
  accent text,
  closed_at bigint,
  cleared_at bigint
);
create index communities_closing on communities (closed_at) where closed_at is not null and cleared_at is null;
create table community_roles (
  community_id text not null references communities (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('OWNER', 'ADMIN')),
  is_active integer not null,
  constraint community_roles_key primary key (community_id, user_id)
);
create index community_roles_user on community_roles (user_id, community_id);
create table operators (
  user_id text primary key references users (id) on delete cascade,
  role text not null check (role in ('VIEWER', 'ADMIN')),
  created_at bigint not null
);
create index operators_role on operators (role, user_id);
create table products (
  id text primary key,
  owner_id text not null references users (id) on delete cascade,
  name text not null,
  slug text not null,
  type text,
  created_at bigint not null,
  price_minor bigint,
  currency text,
  description text,
  constraint products_slug unique (owner_id, slug)
);
create index products_list on products (owner_id, created_at, id);
create table memberships (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  product_type text not null,
  community_id text references communities (id) on delete cascade,
  product_id text references products (id) on delete cascade,
  valid_from bigint not null,
  valid_until bigint,
  pricing_plan_id text,
  external_order_id text,
  subscription_id text,
  subscription_cancelled_at bigint,
  renews_at bigint,
  plan_changes_at bigint,
  lapse_announced_at bigint,
  constraint memberships_community unique (user_id, community_id),
  constraint memberships_product unique (user_id, product_id)
);
create index memberships_newest_by_community_id on memberships (community_id, valid_from, id);
create index memberships_newest_by_product_id on memberships (product_id, valid_from, id);
create index memberships_to_lapse on memberships (valid_until) where lapse_announced_at is null;
create index memberships_to_renew on memberships (renews_at, id) where subscription_id is not null and subscription_cancelled_at is null;
create index memberships_to_change on memberships (plan_changes_at, id) where plan_changes_at is not null;
create index memberships_by_end on memberships (community_id, valid_until, valid_from, id);
-- A subscription renews most memberships that are close to their end. Those are no part of this list.
create index memberships_ending on memberships (community_id, valid_until, valid_from, id) where subscription_id is null or subscription_cancelled_at is not null;
create index memberships_by_subscription_id on memberships (subscription_id) where subscription_id is not null;
-- What a membership was paid or granted for. Its own columns are the access that runs now.
create table membership_periods (
  id text primary key,
  membership_id text not null references memberships (id) on delete cascade,
  plan_id text,
  starts_at bigint not null,
  ends_at bigint,
  source text not null check (source in ('payment', 'renewal', 'free', 'grant', 'invitation', 'provisioning')),
  payment_id text,
  subscription_id text,
  created_at bigint not null
);
create index membership_periods_order on membership_periods (membership_id, starts_at);
create index membership_periods_payment on membership_periods (payment_id) where payment_id is not null;
create table oauth_clients (
  client_id text primary key,
  owner_id text not null references users (id) on delete cascade,
  type text not null check (type in ('public', 'confidential')),
  secret_hash text,
  name text not null,
  description text,
  logo_url text,
  redirect_uris text not null,
  widget_origins text not null,
  scopes text not null,
  created_at bigint not null,
  verified_at bigint,
  accent text,
  constraint oauth_clients_secret check ((type = 'confidential') = (secret_hash is not null))
);
create index oauth_clients_list on oauth_clients (owner_id, created_at, client_id);
create table authorization_codes (
  id text primary key,
  code_hash text not null unique,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  redirect_uri text not null,
  scope text not null,
  code_challenge text,
  expires_at bigint not null,
  spent_at bigint
);
create index authorization_codes_consent on authorization_codes (user_id, client_id);
create index authorization_codes_expiry on authorization_codes (expires_at);
create index authorization_codes_by_client_id on authorization_codes (client_id);
create table token_pairs (
  id text primary key,
  code_id text not null,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  scope text not null,
  access_token_hash text not null unique,
  access_expires_at bigint not null,
  access_revoked_at bigint,
  refresh_token_hash text not null unique,
  refresh_expires_at bigint not null,
  refresh_spent_at bigint
);
create index token_pairs_code on token_pairs (code_id);
create index token_pairs_consent on token_pairs (user_id, client_id);
create index token_pairs_expiry on token_pairs (refresh_expires_at);
create index token_pairs_by_client_id on token_pairs (client_id);
create table consents (
  user_id text not null references users (id) on delete cascade,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  place_hash text not null,
  redirect_uri text not null,
  receiver text,
  scope text not null,
  client_name text not null,
  look_hash text not null,
  is_verified integer not null,
  granted_at bigint not null,
  constraint consents_key primary key (user_id, client_id, place_hash)
);
create index consents_area on consents (client_id, user_id);
create table user_sessions (
  id_hash text primary key,
  user_id text not null references users (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  browser text,
  network text,
  last_used_at bigint
);
create index user_sessions_expiry on user_sessions (expires_at);
create index user_sessions_area on user_sessions (user_id, created_at);
create table sign_in_codes (
  attempt_hash text primary key,
  email text not null,
  code_hash text not null,
  tries integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  spent_at bigint
);
create index sign_in_codes_email on sign_in_codes (email, created_at);
create index sign_in_codes_expiry on sign_in_codes (expires_at);
create table email_changes (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  old_email text not null,
  new_email text not null,
  attempt_hash text unique,
  undo_hash text unique,
  changed_at bigint,
  expires_at bigint not null
);
create index email_changes_user on email_changes (user_id);
create index email_changes_expiry on email_changes (expires_at);
create table pricing_plans (
  id text primary key,
  community_id text not null references communities (id) on delete cascade,
  name text not null,
  price_minor bigint not null check (price_minor >= 0),
  currency text not null,
  period_days integer check (period_days > 0),
  renews integer not null default 0,
  provider text not null check (provider in ('card', 'crypto')),
  created_at bigint not null,
  archived_at bigint,
  description text,
  benefits text not null default '[]',
  constraint pricing_plans_renewal check (renews = 0 or period_days is not null)
);
create index pricing_plans_community on pricing_plans (community_id, created_at);
create index pricing_plans_list on pricing_plans (community_id, archived_at, created_at, id);
create table api_keys (
  id text primary key,
  owner_id text not null references users (id) on delete cascade,
  name text not null,
  key_hash text not null unique,
  key_ending text not null,
  permissions text not null,
  created_at bigint not null,
  revoked_at bigint,
  key_prefix text not null default 'svc_'
);
create index api_keys_owner on api_keys (owner_id, created_at);
create table provisioning_grants (
  user_id text primary key references users (id) on delete cascade,
  granted_at bigint not null
);
create table checkout_reservations (
  id text primary key,
  caller_id text references users (id) on delete cascade,
  external_id text,
  community_id text references communities (id) on delete cascade,
  pricing_plan_id text references pricing_plans (id) on delete cascade,
  product_id text references products (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  success_url text not null,
  cancel_url text not null,
  utm_source text,
  created_at bigint not null,
  paid_at bigint,
  membership_id text,
  constraint checkout_reservations_subject check ((pricing_plan_id is null) <> (product_id is null))
);
-- A caller has one unpaid reservation per external id. Opening it again updates it.
create unique index checkout_reservations_open on checkout_reservations (caller_id, external_id) where paid_at is null;
create index checkout_reservations_external_id on checkout_reservations (external_id, paid_at);
create index checkout_reservations_expiry on checkout_reservations (created_at) where paid_at is null;
create index checkout_reservations_by_user_id on checkout_reservations (user_id);
create index checkout_reservations_by_caller_id on checkout_reservations (caller_id) where caller_id is not null;
create index checkout_reservations_by_product_id on checkout_reservations (product_id) where product_id is not null;
-- Opening a reservation again adds an address. A buyer on the page of an earlier address can still pay.
create table checkout_links (
  secret_hash text primary key,
  reservation_id text not null references checkout_reservations (id) on delete cascade,
  expires_at bigint not null
);
create index checkout_links_reservation on checkout_links (reservation_id);
create index checkout_links_expiry on checkout_links (expires_at);
create table subscriptions (
  id text primary key,
  reservation_id text not null references checkout_reservations (id) on delete cascade,
  payment_method text,
  amount_minor bigint not null,
  currency text not null,
  period_days integer not null check (period_days > 0),
  created_at bigint not null
);
create index subscriptions_reservation on subscriptions (reservation_id);
create table payments (
  id text primary key,
  reservation_id text references checkout_reservations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  community_id text references communities (id) on delete cascade,
  product_id text references products (id) on delete cascade,
  pricing_plan_id text,
  status text not null check (status in ('succeeded', 'failed')),
  reason text,
  amount_minor bigint not null,
  currency text not null,
  utm_source text,
  created_at bigint not null,
  order_id text,
  provider text,
  reference text,
  refunded_minor bigint not null default 0,
  refunded_at bigint,
  dispute text check (dispute in ('open', 'won', 'lost')),
  disputed_at bigint,
  look_up_at bigint
);
create index payments_to_look_up on payments (look_up_at) where look_up_at is not null;
create unique index payments_reference on payments (reference, provider);
create index payments_order on payments (order_id);
create index payments_newest_by_user_id on payments (user_id, created_at, id);
create unique index payments_success on payments (reservation_id) where status = 'succeeded';
create index payments_reservation on payments (reservation_id);
create index payments_newest_by_community_id on payments (community_id, created_at, id);
create index payments_newest_by_product_id on payments (product_id, created_at, id);
create index payments_of_member on payments (user_id, community_id, created_at, id);
create table refunds (
  id text primary key,
  payment_id text not null references payments (id) on delete cascade,
  amount_minor bigint not null,
  refunded_before bigint not null,
  status text not null check (status in ('pending', 'refunded', 'failed')),
  reason text,
  created_at bigint not null,
  try_at bigint not null
);
create index refunds_payment on refunds (payment_id);
create index refunds_pending on refunds (try_at) where status = 'pending';
-- Without a foreign key: a subscription is ended at the provider even if the account of its buyer was deleted.
create table provider_subscriptions (
  reference text not null,
  provider text not null,
  order_id text not null,
  subscription_id text not null,
  ended_at bigint,
  try_at bigint not null,
  primary key (reference, provider)
);
create index provider_subscriptions_order on provider_subscriptions (order_id);
create index provider_subscriptions_subscription on provider_subscriptions (subscription_id);
create index provider_subscriptions_running on provider_subscriptions (try_at) where ended_at is null;
create table provider_events (
  id text not null,
  provider text not null,
  kind text not null,
  order_id text not null,
  reference text not null,
  outcome text not null,
  created_at bigint not null,
  received_at bigint not null,
  primary key (id, provider)
);
create index provider_events_end on provider_events (received_at, id);
create table drop_slots (
  id text primary key,
  community_id text not null references communities (id) on delete cascade,
  name text not null,
  slots integer,
  slots_used integer not null default 0,
  starts_at bigint not null,
  ends_at bigint,
  created_at bigint not null,
  constraint drop_slots_room check (slots is null or slots_used <= slots)
);
create index drop_slots_list on drop_slots (community_id, starts_at, id);
create table drop_signups (
  id text primary key,
  drop_slot_id text not null references drop_slots (id) on delete cascade,
  email text not null,
  phone_number text,
  created_at bigint not null,
  constraint drop_signups_once unique (drop_slot_id, email)
);
create index drop_signups_by_email on drop_signups (email);
create table messenger_bots (
  community_id text primary key references communities (id) on delete cascade,
  name text not null,
  created_at bigint not null
);
create table messenger_invites (
  id text primary key,
  link_hash text not null unique,
  community_id text not null references communities (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  binds_account integer not null,
  expires_at bigint not null,
  created_at bigint not null
);
create index messenger_invites_community on messenger_invites (community_id);
create index messenger_invites_expiry on messenger_invites (expires_at);
create index messenger_invites_by_user_id on messenger_invites (user_id);
create table messenger_join_requests (
  id text primary key,
  invite_id text not null references messenger_invites (id) on delete cascade,
  messenger_user_id bigint not null,
  accepted integer not null,
  reason text,
  created_at bigint not null
);
create index messenger_join_requests_invite on messenger_join_requests (invite_id);
create index messenger_join_requests_by_messenger_user_id on messenger_join_requests (messenger_user_id);
create table webhooks (
  id text primary key,
  owner_id text not null references users (id) on delete cascade,
  community_id text references communities (id) on delete cascade,
  product_id text references products (id) on delete cascade,
  url text not null,
  secret text not null,
  is_active integer not null default 1,
  failing_since bigint,
  paused_at bigint,
  created_at bigint not null,
  answered_at bigint,
  unanswered_attempts integer not null default 0,
  constraint webhooks_subject check ((community_id is null) <> (product_id is null))
);
create index webhooks_community_id on webhooks (community_id);
create index webhooks_product_id on webhooks (product_id);
create index webhooks_list on webhooks (owner_id, created_at, id);
create table webhook_events (
  id text primary key,
  type text not null,
  community_id text,
  product_id text,
  body text not null,
  created_at bigint not null
);
create index webhook_events_created on webhook_events (created_at);
create table webhook_deliveries (
  id text primary key,
  event_id text not null references webhook_events (id) on delete cascade,
  webhook_id text not null references webhooks (id) on delete cascade,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at bigint not null,
  lease_id text,
  leased_until bigint,
  created_at bigint not null,
  finished_at bigint
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_endpoint_due on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at);
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, created_at) where status = 'failed';
create table webhook_attempts (
  id text primary key,
  delivery_id text not null references webhook_deliveries (id) on delete cascade,
  attempted_at bigint not null,
  duration_ms integer not null,
  status_code integer,
  failure text,
  request_url text,
  request_headers text,
  response_headers text,
  response_body text,
  response_bytes integer
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, attempted_at);
create table form_submissions (
  user_id text not null references users (id) on delete cascade,
  id text not null,
  submitted_at bigint not null,
  constraint form_submissions_key primary key (user_id, id)
);
create index form_submissions_expiry on form_submissions (submitted_at, id);
create index form_submissions_by_id on form_submissions (id);
create table widget_files (
  release text not null,
  file text not null,
  content text not null,
  released_at bigint not null,
  constraint widget_files_key primary key (release, file)
);
create table database_use (
  id integer primary key,
  use text not null,
  since bigint not null
);
create table messenger_accounts (
  community_id text not null references communities (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  messenger_user_id bigint not null,
  joined_at bigint not null,
  constraint messenger_accounts_key primary key (community_id, user_id),
  constraint messenger_accounts_account unique (community_id, messenger_user_id)
);
create index messenger_accounts_user on messenger_accounts (user_id);
create table community_emails (
  id text primary key,
  community_id text not null references communities (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  email text,
  shown_id text not null,
  linked_at bigint not null,
  constraint community_emails_address unique (community_id, email),
  constraint community_emails_user unique (community_id, user_id)
);
create index community_emails_holder on community_emails (user_id);
create index community_emails_by_email on community_emails (email);
create index community_emails_expiry on community_emails (linked_at, id);
create table sign_in_budgets (
  key_hash text primary key,
  used integer not null,
  ends_at bigint not null
);
create index sign_in_budgets_end on sign_in_budgets (ends_at);
create table known_browsers (
  secret_hash text primary key,
  email text not null,
  expires_at bigint not null
);
create index known_browsers_end on known_browsers (expires_at);
create index known_browsers_by_email on known_browsers (email);
create table invitations (
  id text primary key,
  community_id text not null references communities (id) on delete cascade,
  email text not null,
  kind text not null check (kind in ('membership', 'role')),
  role text check (role in ('OWNER', 'ADMIN')),
  valid_from bigint,
  valid_until bigint,
  invited_by text not null references users (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  declined_at bigint,
  constraint invitations_role check ((kind = 'role') = (role is not null)),
  constraint invitations_window check ((kind = 'membership') = (valid_from is not null)),
  constraint invitations_address unique (community_id, kind, email)
);
create index invitations_newest on invitations (community_id, kind, created_at, id);
create index invitations_email on invitations (email, created_at, id);
create index invitations_sender on invitations (invited_by, email);
create index invitations_expiry on invitations (expires_at, id);
create table service_names (
  id integer primary key,
  api_key_prefix text not null,
  header_prefix text not null,
  messenger text not null
);
create table mail_outbox (
  id text primary key,
  kind text not null,
  subject_id text not null,
  recipient text not null,
  language text not null,
  facts text not null,
  status text not null check (status in ('pending', 'sent', 'dropped', 'failed')),
  attempts integer not null default 0,
  next_attempt_at bigint not null,
  lease_id text,
  leased_until bigint,
  created_at bigint not null,
  finished_at bigint,
  constraint mail_outbox_cause unique (kind, subject_id)
);
create index mail_outbox_due on mail_outbox (next_attempt_at) where status = 'pending';
create index mail_outbox_end on mail_outbox (finished_at, id);
create index mail_outbox_by_recipient on mail_outbox (recipient);
create table invitation_opt_outs (
  mailbox_hash text primary key,
  opted_out_at bigint not null
);
create table opt_out_links (
  secret_hash text primary key,
  mailbox_hash text not null,
  expires_at bigint not null
);
create index opt_out_links_end on opt_out_links (expires_at);
-- Describes the applied migrations to versions that do not contain them.
create table migration_kinds (
  name text primary key,
  kind text not null,
  works_from text
);
create table second_factors (
  user_id text primary key references users (id) on delete cascade,
  secret text not null,
  last_step bigint not null,
  created_at bigint not null
);
create table recovery_codes (
  code_hash text primary key,
  user_id text not null references users (id) on delete cascade,
  used_at bigint
);
create index recovery_codes_user on recovery_codes (user_id);
create table second_factor_setups (
  session_hash text primary key,
  user_id text not null references users (id) on delete cascade,
  secret text not null,
  expires_at bigint not null
);
create index second_factor_setups_user on second_factor_setups (user_id);
create index second_factor_setups_end on second_factor_setups (expires_at, session_hash);
create table second_step_attempts (
  attempt_hash text primary key,
  user_id text not null references users (id) on delete cascade,
  tries integer not null,
  expires_at bigint not null,
  spent_at bigint
);
create index second_step_attempts_user on second_step_attempts (user_id);
create index second_step_attempts_end on second_step_attempts (expires_at, attempt_hash);
create table charges (
  order_id text primary key,
  reservation_id text not null references checkout_reservations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  subscription_id text,
  period_end bigint,
  payment_method text,
  facts text,
  attempts integer not null,
  started_at bigint not null,
  lost_at bigint,
  look_up_at bigint not null,
  reference text,
  asked_at bigint,
  closed_at bigint
);
create index charges_reservation on charges (reservation_id);
create index charges_user on charges (user_id);
create index charges_subscription on charges (subscription_id);
create table audit_entries (
  id text primary key,
  created_at bigint not null,
  actor_kind text not null,
  actor_id text,
  action text not null,
  subject_id text,
  community_id text,
  details text not null
);
create index audit_entries_actor on audit_entries (actor_id, id) where actor_id is not null;
create index audit_entries_subject on audit_entries (subject_id, id);
create index audit_entries_community on audit_entries (community_id, id) where community_id is not null
`;

/** Statements that make the database reject every change to an audit log entry. */
const APPEND_ONLY_SQLITE = ['update', 'delete'].map(
  (change) => `create trigger audit_entries_no_${change} before ${change} on audit_entries
    begin select raise(abort, 'The audit log is append-only.'); end`,
);
const APPEND_ONLY_POSTGRES = [
  `create function reject_audit_change() returns trigger language plpgsql as
    $$ begin raise exception 'The audit log is append-only.'; end $$`,
  `create trigger audit_entries_append_only before update or delete or truncate on audit_entries
    for each statement execute function reject_audit_change()`,
];
