import type {
  MembershipProductType,
  SellerProductType,
  WebhookEventType,
} from '@latchkey/contract/constants';
import { type Generated, type Kysely, PostgresAdapter, sql } from 'kysely';
import { column, type Migration } from './migration.js';

/** Creates {@link TABLES}. */
export const initial: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    for (const [table, columns] of Object.entries(TABLES)) {
      const lines = [
        ...Object.entries(columns).map(([name, type]) => `${name} ${type}`),
        ...(CONSTRAINTS[table] ?? []),
      ];
      await sql.raw(`create table ${table} (\n  ${lines.join(',\n  ')}\n)`).execute(db);
    }
    for (const statement of INDEXES.split(';')) await sql.raw(statement).execute(db);
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const statement of isPostgres ? APPEND_ONLY_POSTGRES : APPEND_ONLY_SQLITE)
      await sql.raw(statement).execute(db);
    // A refresh changes its old pair once. With room on the page, the changed row stays there and the six indexes need
    // no new entry. SQLite changes rows in place anyway.
    if (isPostgres) await sql`alter table token_pairs set (fillfactor = 90)`.execute(db);
  },
};

/** Columns of a row that any process may handle: a delivery or an email to send. */
const SHARED_WORK = {
  attempts: 'integer not null default 0',
  next_attempt_at: 'bigint not null',
  /** Lease of the worker that handles the row. It ends at `leased_until`. */
  lease_id: 'text',
  leased_until: 'bigint',
  created_at: 'bigint not null',
  finished_at: 'bigint',
} as const;

/**
 * Tables and columns in SQL; `schema.ts` derives the types for Kysely. Times are integer milliseconds since the epoch.
 * Ids are lower-case UUIDs. Booleans are 1 and 0. Lists are JSON strings. `*_hash` is SHA-256 in hex, and the hashed
 * secret isn't stored. `hashToken` hashes access and refresh tokens.
 */
export const TABLES = {
  users: {
    id: 'text primary key',
    /** Trimmed, lower case. The user has proved that it's theirs. Null for a user whom only communities know. */
    email: 'text unique',
    name: 'text',
    /** Messenger account that the operator entered. Accounts from partners are in `messenger_accounts`. */
    messenger_user_id: 'bigint unique',
    created_at: 'bigint not null',
    /** When the user proved that the address is theirs, or the operator confirmed it. */
    email_verified_at: 'bigint',
    /** When the account was deleted. The row then has no address, no name, and an id derived from the user's. */
    deleted_at: 'bigint',
    /** Language that the user last used on a page, such as `de`; null before the first sign-in or payment. */
    language: 'text',
  },
  communities: {
    id: 'text primary key',
    name: 'text not null',
    created_at: 'bigint not null',
    logo_url: 'text',
    /** `#rrggbb` in lower case. */
    accent: 'text',
    /** When an owner or the operator closed it, for good; null while it's open. */
    closed_at: 'bigint',
    /** When a worker deleted what a closed community no longer needs. */
    cleared_at: 'bigint',
  },
  community_roles: {
    community_id: 'text not null references communities (id) on delete cascade',
    user_id: 'text not null references users (id) on delete cascade',
    role: "text not null check (role in ('OWNER', 'ADMIN'))",
    is_active: column<0 | 1>('integer not null'),
  },
  /** Users who may open the operator area. */
  operators: {
    user_id: 'text primary key references users (id) on delete cascade',
    /** `VIEWER` reads, `ADMIN` also changes. */
    role: "text not null check (role in ('VIEWER', 'ADMIN'))",
    created_at: 'bigint not null',
  },
  products: {
    id: 'text primary key',
    owner_id: 'text not null references users (id) on delete cascade',
    name: 'text not null',
    slug: 'text not null',
    type: column<SellerProductType | null>('text'),
    created_at: 'bigint not null',
    /** In the currency's minor unit; null if the product isn't for sale. */
    price_minor: 'bigint',
    /** ISO 4217, upper case; null if the product isn't for sale. */
    currency: 'text',
    description: 'text',
  },
  memberships: {
    id: 'text primary key',
    user_id: 'text not null references users (id) on delete cascade',
    product_type: column<MembershipProductType>('text not null'),
    /** A user has at most one row per community and one per product. */
    community_id: 'text references communities (id) on delete cascade',
    product_id: 'text references products (id) on delete cascade',
    valid_from: 'bigint not null',
    /** Null for lifetime access. */
    valid_until: 'bigint',
    /** Plan of the current period, else of the next one, else of the last one. */
    pricing_plan_id: 'text',
    /** Order id of the newest external provisioning. Only a call with this id counts as a repeat. */
    external_order_id: 'text',
    /** Subscription that renews the membership; null if none does. */
    subscription_id: 'text',
    /** When the subscription was cancelled. The paid time stays, but nothing renews the membership any more. */
    subscription_cancelled_at: 'bigint',
    /** End of the last period that the subscription paid. The next one is charged shortly before. */
    renews_at: 'bigint',
    /** When the periods next change the columns above without ending all access. Null if they don't. */
    plan_changes_at: 'bigint',
    /** When the event about the expiry was recorded. New access resets it to null. */
    lapse_announced_at: 'bigint',
  },
  /** What a membership was paid or granted for. `memberships` has the current access, `timeline.ts` the rules. */
  membership_periods: {
    id: 'text primary key',
    membership_id: 'text not null references memberships (id) on delete cascade',
    /** Null for access without a plan. */
    plan_id: 'text',
    /** Plan of a partner's order, on access without a plan for the order's dates. */
    ordered_plan_id: 'text',
    starts_at: 'bigint not null',
    ends_at: 'bigint',
    source:
      "text not null check (source in ('payment', 'renewal', 'free', 'grant', 'invitation', 'provisioning'))",
    /** Payment for the period; null if it cost nothing. */
    payment_id: 'text',
    subscription_id: 'text',
    created_at: 'bigint not null',
  },
  oauth_clients: {
    client_id: 'text primary key',
    owner_id: 'text not null references users (id) on delete cascade',
    type: "text not null check (type in ('public', 'confidential'))",
    /** Null for a public client. */
    secret_hash: 'text',
    name: 'text not null',
    description: 'text',
    logo_url: 'text',
    redirect_uris: 'text not null',
    widget_origins: 'text not null',
    scopes: 'text not null',
    created_at: 'bigint not null',
    /** When the operator verified the client; null if they haven't. */
    verified_at: 'bigint',
    accent: 'text',
  },
  authorization_codes: {
    id: 'text primary key',
    code_hash: 'text not null unique',
    client_id: 'text not null references oauth_clients (client_id) on delete cascade',
    user_id: 'text not null references users (id) on delete cascade',
    redirect_uri: 'text not null',
    /** Space-separated. */
    scope: 'text not null',
    code_challenge: 'text',
    expires_at: 'bigint not null',
    spent_at: 'bigint',
  },
  /** An access token with its refresh token. One row holds both, so a refresh takes one update and one insert. */
  token_pairs: {
    id: 'text primary key',
    /** Authorization code for which the first pair of the chain was issued. */
    code_id: 'text not null',
    client_id: 'text not null references oauth_clients (client_id) on delete cascade',
    user_id: 'text not null references users (id) on delete cascade',
    /** Space-separated. */
    scope: 'text not null',
    access_token_hash: 'text not null unique',
    access_expires_at: 'bigint not null',
    access_revoked_at: 'bigint',
    refresh_token_hash: 'text not null unique',
    refresh_expires_at: 'bigint not null',
    /** When the refresh token was rotated or revoked. */
    refresh_spent_at: 'bigint',
  },
  /** What a user has allowed a client, as the consent page showed it. */
  consents: {
    user_id: 'text not null references users (id) on delete cascade',
    client_id: 'text not null references oauth_clients (client_id) on delete cascade',
    /** SHA-256 of the redirect URI and the receiver. */
    place_hash: 'text not null',
    redirect_uri: 'text not null',
    /** Origin of the page that receives the codes. Null if no page does. */
    receiver: 'text',
    /** List of scopes. */
    scope: 'text not null',
    client_name: 'text not null',
    /** SHA-256 of the client's logo and description. */
    look_hash: 'text not null',
    is_verified: column<0 | 1>('integer not null'),
    granted_at: 'bigint not null',
  },
  user_sessions: {
    id_hash: 'text primary key',
    user_id: 'text not null references users (id) on delete cascade',
    created_at: 'bigint not null',
    expires_at: 'bigint not null',
    /** Browser and system at the last use: "Firefox on Linux". Null for an unknown browser. */
    browser: 'text',
    /** Network of the client at the last use, never its address: an IPv4 /24 or an IPv6 /48. Null if unknown. */
    network: 'text',
    /** Updated only every few minutes. Null until the first use. */
    last_used_at: 'bigint',
  },
  sign_in_codes: {
    /** Hash of the secret of the attempt. Only the browser has the secret. */
    attempt_hash: 'text primary key',
    email: 'text not null',
    code_hash: 'text not null',
    tries: 'integer not null',
    created_at: 'bigint not null',
    expires_at: 'bigint not null',
    spent_at: 'bigint',
  },
  /** A change of a user's address. It waits for the code from the new address, or the earlier address can still undo it. */
  email_changes: {
    id: 'text primary key',
    user_id: 'text not null references users (id) on delete cascade',
    old_email: 'text not null',
    new_email: 'text not null',
    /** Hash of the secret of the browser that began the change; null once it's done. */
    attempt_hash: 'text unique',
    /** Hash of the secret in the email to the earlier address; null until it's sent. */
    undo_hash: 'text unique',
    /** Null until the code was entered. */
    changed_at: 'bigint',
    /** When the code expires, or when the change can no longer be undone. */
    expires_at: 'bigint not null',
  },
  pricing_plans: {
    id: 'text primary key',
    community_id: 'text not null references communities (id) on delete cascade',
    name: 'text not null',
    /** In the currency's minor unit: cents. */
    price_minor: 'bigint not null check (price_minor >= 0)',
    currency: 'text not null',
    /** Days of access per payment; null for lifetime access. */
    period_days: 'integer check (period_days > 0)',
    /** 1 if a subscription at the payment provider renews the plan. */
    renews: column<0 | 1>('integer not null default 0'),
    provider: "text not null check (provider in ('card', 'crypto'))",
    created_at: 'bigint not null',
    /** Set once the plan can no longer be bought. Members who bought it keep access. */
    archived_at: 'bigint',
    description: 'text',
    /** JSON array of lines. */
    benefits: "text not null default '[]'",
  },
  api_keys: {
    id: 'text primary key',
    owner_id: 'text not null references users (id) on delete cascade',
    name: 'text not null',
    key_hash: 'text not null unique',
    /** Last four characters of the key. Owners recognize it by them. */
    key_ending: 'text not null',
    permissions: 'text not null',
    created_at: 'bigint not null',
    revoked_at: 'bigint',
    key_prefix: column<string>("text not null default 'svc_'"),
  },
  /** A user who may create API keys with MEMBERSHIP_PROVISION. */
  provisioning_grants: {
    user_id: 'text primary key references users (id) on delete cascade',
    granted_at: 'bigint not null',
  },
  checkout_reservations: {
    id: 'text primary key',
    /** Owner of the API key that opened the reservation; null if the buyer opened it on a page of the service. */
    caller_id: 'text references users (id) on delete cascade',
    external_id: 'text',
    /** Either plan and community are set, or the product. */
    community_id: 'text references communities (id) on delete cascade',
    pricing_plan_id: 'text references pricing_plans (id) on delete cascade',
    product_id: 'text references products (id) on delete cascade',
    /** Buyer. */
    user_id: 'text not null references users (id) on delete cascade',
    success_url: 'text not null',
    cancel_url: 'text not null',
    utm_source: 'text',
    /** When the reservation was last opened. */
    created_at: 'bigint not null',
    /** Time of the payment, which creates the membership. */
    paid_at: 'bigint',
    membership_id: 'text',
  },
  /** A URL where a reservation can be paid. Opening the reservation again adds one, and earlier ones stay valid. */
  checkout_links: {
    secret_hash: 'text primary key',
    reservation_id: 'text not null references checkout_reservations (id) on delete cascade',
    /** When the URL stops accepting payments. */
    expires_at: 'bigint not null',
  },
  /** The price that a buyer agreed to pay for every period. Later changes of the plan don't affect it. */
  subscriptions: {
    id: 'text primary key',
    /** Checkout that started the subscription. */
    reservation_id: 'text not null references checkout_reservations (id) on delete cascade',
    /** Payment method that renewals charge: an opaque id of the payment provider. Null if its own page offered the methods. */
    payment_method: 'text',
    amount_minor: 'bigint not null',
    currency: 'text not null',
    period_days: 'integer not null check (period_days > 0)',
    /** 1 if its buyer was signed in. Otherwise anybody may have begun it. */
    is_own: column<0 | 1>('integer not null'),
    created_at: 'bigint not null',
  },
  payments: {
    id: 'text primary key',
    /** Null for a renewal, and for a payment that gave no access. */
    reservation_id: 'text references checkout_reservations (id) on delete cascade',
    user_id: 'text not null references users (id) on delete cascade',
    community_id: 'text references communities (id) on delete cascade',
    product_id: 'text references products (id) on delete cascade',
    pricing_plan_id: 'text',
    status: "text not null check (status in ('succeeded', 'failed'))",
    /** Reason of a failed payment. `no_access` for a successful payment that gave no access. */
    reason: 'text',
    amount_minor: 'bigint not null',
    currency: 'text not null',
    utm_source: 'text',
    created_at: 'bigint not null',
    /** Order id at the payment provider. Null for free orders. */
    order_id: 'text',
    /** Name of the payment provider. Null for free orders and failed payments. */
    provider: 'text',
    /** Id of the payment at the provider. Null for free orders and failed payments. */
    reference: 'text',
    /** How much of the amount was refunded to the buyer. */
    refunded_minor: 'bigint not null default 0',
    /** Time of the provider's newest report about refunds, by its clock; null before the first one. */
    refunded_at: 'bigint',
    /** State of the buyer's dispute with their bank; null if there is none. */
    dispute: "text check (dispute in ('open', 'won', 'lost'))",
    /** Time of the provider's newest report about the dispute, by its clock. */
    disputed_at: 'bigint',
    /** When the provider is next asked for refunds and disputes; null once it no longer is. */
    look_up_at: 'bigint',
  },
  /** A refund that a seller requested. It's stored before the provider is asked, so a crash can't lose it. */
  refunds: {
    /** Idempotency key at the provider. */
    id: 'text primary key',
    payment_id: 'text not null references payments (id) on delete cascade',
    amount_minor: 'bigint not null',
    /** How much of the payment was already refunded when this refund was requested. */
    refunded_before: 'bigint not null',
    status: "text not null check (status in ('pending', 'refunded', 'failed'))",
    /** The provider's reason for a failed refund. */
    reason: 'text',
    created_at: 'bigint not null',
    /** When the provider is asked again, while the refund is pending. */
    try_at: 'bigint not null',
  },
  /** No foreign key: it's ended at the provider even if its buyer's account was deleted. */
  provider_subscriptions: {
    reference: 'text not null',
    provider: 'text not null',
    /** Order that started the subscription. */
    order_id: 'text not null',
    subscription_id: 'text not null',
    /** When it ended at the provider. */
    ended_at: 'bigint',
    /** When the provider is asked to end it, once it no longer renews anything. */
    try_at: 'bigint not null',
  },
  /** An event from the payment provider, stored with its effect. */
  provider_events: {
    id: 'text not null',
    provider: 'text not null',
    kind: 'text not null',
    order_id: 'text not null',
    reference: 'text not null',
    /** `applied` if it had an effect; otherwise why not. */
    outcome: column<'applied' | 'no-change' | 'unknown' | 'other-mode' | 'other-price'>('text not null'),
    /** By the provider's clock. */
    created_at: 'bigint not null',
    received_at: 'bigint not null',
  },
  drop_slots: {
    id: 'text primary key',
    community_id: 'text not null references communities (id) on delete cascade',
    name: 'text not null',
    /** Null for unlimited slots. */
    slots: 'integer',
    slots_used: 'integer not null default 0',
    starts_at: 'bigint not null',
    ends_at: 'bigint',
    created_at: 'bigint not null',
  },
  drop_signups: {
    id: 'text primary key',
    drop_slot_id: 'text not null references drop_slots (id) on delete cascade',
    email: 'text not null',
    /** E.164. */
    phone_number: 'text',
    created_at: 'bigint not null',
  },
  messenger_bots: {
    community_id: 'text primary key references communities (id) on delete cascade',
    name: 'text not null',
    created_at: 'bigint not null',
  },
  messenger_invites: {
    id: 'text primary key',
    link_hash: 'text not null unique',
    community_id: 'text not null references communities (id) on delete cascade',
    /** Buyer. No other user's messenger account may join. */
    user_id: 'text not null references users (id) on delete cascade',
    /**
     * Administrator of the community who created the link. As long as they are one, the first account that joins
     * becomes that of a buyer without one. Null if somebody else created the link.
     */
    caller_id: 'text references users (id) on delete set null',
    expires_at: 'bigint not null',
    created_at: 'bigint not null',
  },
  messenger_join_requests: {
    id: 'text primary key',
    invite_id: 'text not null references messenger_invites (id) on delete cascade',
    messenger_user_id: 'bigint not null',
    accepted: column<0 | 1>('integer not null'),
    reason: 'text',
    created_at: 'bigint not null',
  },
  webhooks: {
    id: 'text primary key',
    owner_id: 'text not null references users (id) on delete cascade',
    /** Either this or `product_id` is set. */
    community_id: 'text references communities (id) on delete cascade',
    product_id: 'text references products (id) on delete cascade',
    url: 'text not null',
    /** 64 hex characters. Stored unhashed: the server signs every delivery with it. */
    secret: 'text not null',
    is_active: column<Generated<0 | 1>>('integer not null default 1'),
    failing_since: 'bigint',
    /** When failed attempts paused the webhook. Nothing is sent until its owner resumes it. */
    paused_at: 'bigint',
    created_at: 'bigint not null',
    /** Time of the first 2xx response from this URL; null before it. */
    answered_at: 'bigint',
    /** Failed attempts before the first 2xx response from this URL, since the owner last saved or resumed the webhook. */
    unanswered_attempts: 'integer not null default 0',
  },
  webhook_events: {
    id: 'text primary key',
    type: column<WebhookEventType>('text not null'),
    community_id: 'text',
    product_id: 'text',
    /** The JSON that is sent, byte for byte. */
    body: 'text not null',
    created_at: 'bigint not null',
  },
  webhook_deliveries: {
    id: 'text primary key',
    event_id: 'text not null references webhook_events (id) on delete cascade',
    webhook_id: 'text not null references webhooks (id) on delete cascade',
    status: "text not null check (status in ('pending', 'delivered', 'failed'))",
    ...SHARED_WORK,
  },
  webhook_attempts: {
    id: 'text primary key',
    delivery_id: 'text not null references webhook_deliveries (id) on delete cascade',
    attempted_at: 'bigint not null',
    duration_ms: 'integer not null',
    /** Null if there was no response. */
    status_code: 'integer',
    failure: 'text',
    /** Null for an attempt that sent no request. */
    request_url: 'text',
    /** JSON list of names and values, in the order in which they were sent. */
    request_headers: 'text',
    /** JSON list of names and values. Null without a response. The endpoint wrote them. */
    response_headers: 'text',
    /** Start of the response body, decoded. Null without a response. The endpoint wrote it. */
    response_body: 'text',
    /** Number of bytes of the response body that arrived. Larger than what was kept if it was cut off. */
    response_bytes: 'integer',
  },
  /** A form that was submitted. Submitting it again, by a reload or a double click, has no effect. */
  form_submissions: {
    user_id: 'text not null references users (id) on delete cascade',
    /** Random id, created when the form was shown. */
    id: 'text not null',
    submitted_at: 'bigint not null',
  },
  widget_files: {
    release: 'text not null',
    file: 'text not null',
    content: 'text not null',
    released_at: 'bigint not null',
  },
  /** Purpose of the database. The first start inserts the only row. */
  database_use: {
    id: column<1>('integer primary key'),
    /** Purpose that the first server on this database recorded; see the option `databasePurpose`. */
    use: 'text not null',
    since: 'bigint not null',
  },
  /** A user's messenger account in one community only. A partner supplied it, or the buyer joined the community with it. */
  messenger_accounts: {
    community_id: 'text not null references communities (id) on delete cascade',
    user_id: 'text not null references users (id) on delete cascade',
    messenger_user_id: 'bigint not null',
    /** When the account was linked to the user. */
    joined_at: 'bigint not null',
  },
  /**
   * A person that somebody else told a community about: a partner, or whoever typed the address at a checkout. While
   * the row exists, the community sees the address and `shown_id`, and nothing that only the person could have given.
   * The row is deleted when the person acts.
   */
  community_emails: {
    id: 'text primary key',
    community_id: 'text not null references communities (id) on delete cascade',
    user_id: 'text not null references users (id) on delete cascade',
    /** The address as typed; null if a partner sent only a messenger account. */
    email: 'text',
    /** The `sub` that the community sees. */
    shown_id: 'text not null',
    /** When somebody last told the community about the person. */
    linked_at: 'bigint not null',
  },
  /** A counter of sign-in codes or wrong codes in one period. */
  sign_in_budgets: {
    /** Hash of what is counted: the kind, and the mailbox, client or browser. */
    key_hash: 'text primary key',
    used: 'integer not null',
    ends_at: 'bigint not null',
  },
  /** A browser that proved by a sign-in, or by a link in an email, that its user holds an email address. */
  known_browsers: {
    /** Hash of the secret in the browser's cookie. */
    secret_hash: 'text primary key',
    email: 'text not null',
    expires_at: 'bigint not null',
  },
  /** Gives no access. Whoever holds the address accepts it, which deletes the row, or declines it. */
  invitations: {
    id: 'text primary key',
    community_id: 'text not null references communities (id) on delete cascade',
    /** Trimmed, lower case. An account with this address need not exist. */
    email: 'text not null',
    kind: "text not null check (kind in ('membership', 'role'))",
    role: "text check (role in ('OWNER', 'ADMIN'))",
    /** First instant of access; set for a membership. */
    valid_from: 'bigint',
    /** Null for lifetime access or a role. */
    valid_until: 'bigint',
    invited_by: 'text not null references users (id) on delete cascade',
    created_at: 'bigint not null',
    /** When the invitation can no longer be accepted. For a declined one, when its sender may invite again. */
    expires_at: 'bigint not null',
    declined_at: 'bigint',
  },
  /** Names of the service that the database belongs to. At most one row. */
  service_names: {
    id: column<1>('integer primary key'),
    api_key_prefix: 'text not null',
    header_prefix: 'text not null',
    messenger: 'text not null',
  },
  /** An email that a background worker sends. The transaction that causes it writes it. */
  mail_outbox: {
    id: 'text primary key',
    kind: column<
      | 'receipt'
      | 'refunded'
      | 'renewal-failed'
      | 'invitation'
      | 'two-step'
      | 'email-change'
      | 'account-deleted'
    >('text not null'),
    /** Id of the payment, the invitation or the change. There is one row per kind and id. */
    subject_id: 'text not null',
    /** Email address; empty once the email is finished. */
    recipient: 'text not null',
    language: 'text not null',
    /** JSON with the facts at the time of the cause. Contains no secrets. */
    facts: 'text not null',
    /** `dropped`: the cause was gone before the email was sent. */
    status: "text not null check (status in ('pending', 'sent', 'dropped', 'failed'))",
    ...SHARED_WORK,
  },
  /** A mailbox that gets no invitations by email. */
  invitation_opt_outs: {
    /** Hash of the address without its tag; see `mailboxOf`. */
    mailbox_hash: 'text primary key',
    opted_out_at: 'bigint not null',
  },
  /** The link in an invitation's email that opts the mailbox out, without a sign-in. */
  opt_out_links: {
    secret_hash: 'text primary key',
    mailbox_hash: 'text not null',
    expires_at: 'bigint not null',
  },
  /** The applied migrations. From here, versions without a migration learn whether they work on its schema. */
  migration_kinds: {
    name: 'text primary key',
    kind: column<'expand' | 'contract'>('text not null'),
    /** Contract only: the oldest migration that a version must contain to work without what this one removed. */
    works_from: 'text',
  },
  /** The authenticator app of a user with two-step sign-in. */
  second_factors: {
    user_id: 'text primary key references users (id) on delete cascade',
    /** Secret of the app in base32. Not hashed: each code is computed from it. */
    secret: 'text not null',
    /** Time step of the last accepted code. Codes of this step and of earlier ones are rejected. */
    last_step: 'bigint not null',
    created_at: 'bigint not null',
  },
  recovery_codes: {
    code_hash: 'text primary key',
    user_id: 'text not null references users (id) on delete cascade',
    used_at: 'bigint',
  },
  /** An authenticator app that its user hasn't confirmed yet. A session has at most one. */
  second_factor_setups: {
    session_hash: 'text primary key',
    user_id: 'text not null references users (id) on delete cascade',
    /** In base32. */
    secret: 'text not null',
    expires_at: 'bigint not null',
  },
  /** A sign-in that waits for the second step, after the emailed code. */
  second_step_attempts: {
    /** Hash of the secret of the attempt. Only the browser has the secret. */
    attempt_hash: 'text primary key',
    user_id: 'text not null references users (id) on delete cascade',
    tries: 'integer not null',
    expires_at: 'bigint not null',
    spent_at: 'bigint',
  },
  /** A charge that was started and has no stored result. The payment provider may have the money. */
  charges: {
    /** Order id at the payment provider. */
    order_id: 'text primary key',
    /** Checkout that is paid, or that started the subscription. */
    reservation_id: 'text not null references checkout_reservations (id) on delete cascade',
    /** Buyer. */
    user_id: 'text not null references users (id) on delete cascade',
    /** Subscription that the charge renews; null for the payment of a checkout. */
    subscription_id: 'text',
    /** End of the period before the one that is charged; null for the payment of a checkout. */
    period_end: 'bigint',
    /** Payment method of the last attempt. Null for a renewal, or if the provider's page offers the methods. */
    payment_method: 'text',
    /** Facts of the checkout as JSON, as of the last attempt. Null for a renewal. */
    facts: 'text',
    /** Number of attempts without a stored result. */
    attempts: 'integer not null',
    /** Time of the last attempt. */
    started_at: 'bigint not null',
    /** When an attempt to charge a checkout ended without a result; null if none did. */
    lost_at: 'bigint',
    /** For a renewal, when the lease of the charging process ends. For a checkout, when its order is looked up. */
    look_up_at: 'bigint not null',
    /** The provider's id of the attempt for which the buyer was sent to its page. */
    reference: 'text',
    /** When the buyer's return last made us ask the provider. */
    asked_at: 'bigint',
    /** Since when nobody can pay the order. The row stays in case a payment is reported anyway. */
    closed_at: 'bigint',
  },
  /** The database rejects updates and deletions. Contains ids, but no personal data and no secrets. */
  audit_entries: {
    /** Ordered by time. */
    id: 'text primary key',
    created_at: 'bigint not null',
    actor_kind: column<'user' | 'api-key' | 'client' | 'operator' | 'visitor' | 'system'>('text not null'),
    /** Id of the user, the API key or the client, which may have been deleted since. */
    actor_id: 'text',
    /** Such as `plan.create`. */
    action: 'text not null',
    subject_id: 'text',
    community_id: 'text',
    /** JSON object. */
    details: 'text not null',
  },
} as const;

/** Constraints of several columns, by table. */
const CONSTRAINTS: Readonly<Record<string, readonly string[]>> = {
  community_roles: ['constraint community_roles_key primary key (community_id, user_id)'],
  products: ['constraint products_slug unique (owner_id, slug)'],
  memberships: [
    'constraint memberships_community unique (user_id, community_id)',
    'constraint memberships_product unique (user_id, product_id)',
  ],
  oauth_clients: [
    "constraint oauth_clients_secret check ((type = 'confidential') = (secret_hash is not null))",
  ],
  consents: ['constraint consents_key primary key (user_id, client_id, place_hash)'],
  pricing_plans: ['constraint pricing_plans_renewal check (renews = 0 or period_days is not null)'],
  checkout_reservations: [
    'constraint checkout_reservations_subject check ((pricing_plan_id is null) <> (product_id is null))',
  ],
  provider_subscriptions: ['primary key (reference, provider)'],
  provider_events: ['primary key (id, provider)'],
  drop_slots: ['constraint drop_slots_room check (slots is null or slots_used <= slots)'],
  drop_signups: ['constraint drop_signups_once unique (drop_slot_id, email)'],
  webhooks: ['constraint webhooks_subject check ((community_id is null) <> (product_id is null))'],
  form_submissions: ['constraint form_submissions_key primary key (user_id, id)'],
  widget_files: ['constraint widget_files_key primary key (release, file)'],
  messenger_accounts: [
    'constraint messenger_accounts_key primary key (community_id, user_id)',
    'constraint messenger_accounts_account unique (community_id, messenger_user_id)',
  ],
  community_emails: [
    'constraint community_emails_address unique (community_id, email)',
    'constraint community_emails_user unique (community_id, user_id)',
  ],
  invitations: [
    "constraint invitations_role check ((kind = 'role') = (role is not null))",
    "constraint invitations_window check ((kind = 'membership') = (valid_from is not null))",
    'constraint invitations_address unique (community_id, kind, email)',
  ],
  mail_outbox: ['constraint mail_outbox_cause unique (kind, subject_id)'],
};

const INDEXES = `
create index users_claimed on users (created_at, id) where email is null and messenger_user_id is null and deleted_at is null;
create index communities_closing on communities (closed_at) where closed_at is not null and cleared_at is null;
create index community_roles_user on community_roles (user_id, community_id);
create index operators_role on operators (role, user_id);
create index products_list on products (owner_id, created_at, id);
create index memberships_newest_by_community_id on memberships (community_id, valid_from, id);
create index memberships_newest_by_product_id on memberships (product_id, valid_from, id);
create index memberships_to_lapse on memberships (valid_until) where lapse_announced_at is null;
create index memberships_to_renew on memberships (renews_at, id) where subscription_id is not null and subscription_cancelled_at is null;
create index memberships_to_change on memberships (plan_changes_at, id) where plan_changes_at is not null;
create index memberships_by_end on memberships (community_id, valid_until, valid_from, id);
-- A subscription renews most memberships that are close to their end. Those are no part of this list.
create index memberships_ending on memberships (community_id, valid_until, valid_from, id) where subscription_id is null or subscription_cancelled_at is not null;
create index memberships_by_subscription_id on memberships (subscription_id) where subscription_id is not null;
create index membership_periods_order on membership_periods (membership_id, starts_at);
create index membership_periods_payment on membership_periods (payment_id) where payment_id is not null;
create index oauth_clients_list on oauth_clients (owner_id, created_at, client_id);
create index authorization_codes_consent on authorization_codes (user_id, client_id);
create index authorization_codes_expiry on authorization_codes (expires_at);
create index authorization_codes_by_client_id on authorization_codes (client_id);
create index token_pairs_code on token_pairs (code_id);
create index token_pairs_consent on token_pairs (user_id, client_id);
create index token_pairs_expiry on token_pairs (refresh_expires_at);
create index token_pairs_by_client_id on token_pairs (client_id);
create index consents_area on consents (client_id, user_id);
create index user_sessions_expiry on user_sessions (expires_at);
create index user_sessions_area on user_sessions (user_id, created_at);
create index sign_in_codes_email on sign_in_codes (email, created_at);
create index sign_in_codes_expiry on sign_in_codes (expires_at);
create index email_changes_user on email_changes (user_id);
create index email_changes_expiry on email_changes (expires_at);
create index pricing_plans_community on pricing_plans (community_id, created_at);
create index pricing_plans_list on pricing_plans (community_id, archived_at, created_at, id);
create index api_keys_owner on api_keys (owner_id, created_at);
-- A caller has one unpaid reservation per external id. Opening it again updates it.
create unique index checkout_reservations_open on checkout_reservations (caller_id, external_id) where paid_at is null;
create index checkout_reservations_external_id on checkout_reservations (external_id, paid_at);
create index checkout_reservations_expiry on checkout_reservations (created_at) where paid_at is null;
create index checkout_reservations_by_user_id on checkout_reservations (user_id);
create index checkout_reservations_by_caller_id on checkout_reservations (caller_id) where caller_id is not null;
create index checkout_reservations_by_product_id on checkout_reservations (product_id) where product_id is not null;
create index checkout_links_reservation on checkout_links (reservation_id);
create index checkout_links_expiry on checkout_links (expires_at);
create index subscriptions_reservation on subscriptions (reservation_id);
create index payments_to_look_up on payments (look_up_at) where look_up_at is not null;
create unique index payments_reference on payments (reference, provider);
create index payments_order on payments (order_id);
create index payments_newest_by_user_id on payments (user_id, created_at, id);
create unique index payments_success on payments (reservation_id) where status = 'succeeded';
create index payments_reservation on payments (reservation_id);
create index payments_newest_by_community_id on payments (community_id, created_at, id);
create index payments_newest_by_product_id on payments (product_id, created_at, id);
create index payments_of_member on payments (user_id, community_id, created_at, id);
create index refunds_payment on refunds (payment_id);
create index refunds_pending on refunds (try_at) where status = 'pending';
create index provider_subscriptions_order on provider_subscriptions (order_id);
create index provider_subscriptions_subscription on provider_subscriptions (subscription_id);
create index provider_subscriptions_running on provider_subscriptions (try_at) where ended_at is null;
create index provider_events_end on provider_events (received_at, id);
create index drop_slots_list on drop_slots (community_id, starts_at, id);
create index drop_signups_by_email on drop_signups (email);
create index messenger_invites_community on messenger_invites (community_id);
create index messenger_invites_expiry on messenger_invites (expires_at);
create index messenger_invites_by_user_id on messenger_invites (user_id);
create index messenger_invites_by_caller_id on messenger_invites (caller_id) where caller_id is not null;
create index messenger_join_requests_invite on messenger_join_requests (invite_id);
create index messenger_join_requests_by_messenger_user_id on messenger_join_requests (messenger_user_id);
create index webhooks_community_id on webhooks (community_id);
create index webhooks_product_id on webhooks (product_id);
create index webhooks_list on webhooks (owner_id, created_at, id);
create index webhook_events_created on webhook_events (created_at);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_endpoint_due on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at);
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, created_at) where status = 'failed';
create index webhook_attempts_delivery on webhook_attempts (delivery_id, attempted_at);
create index form_submissions_expiry on form_submissions (submitted_at, id);
create index form_submissions_by_id on form_submissions (id);
create index messenger_accounts_user on messenger_accounts (user_id);
create index community_emails_holder on community_emails (user_id);
create index community_emails_by_email on community_emails (email);
create index community_emails_expiry on community_emails (linked_at, id);
create index sign_in_budgets_end on sign_in_budgets (ends_at);
create index known_browsers_end on known_browsers (expires_at);
create index known_browsers_by_email on known_browsers (email);
create index invitations_newest on invitations (community_id, kind, created_at, id);
create index invitations_email on invitations (email, created_at, id);
create index invitations_sender on invitations (invited_by, email);
create index invitations_expiry on invitations (expires_at, id);
create index mail_outbox_due on mail_outbox (next_attempt_at) where status = 'pending';
create index mail_outbox_end on mail_outbox (finished_at, id);
create index mail_outbox_by_recipient on mail_outbox (recipient);
create index opt_out_links_end on opt_out_links (expires_at);
create index recovery_codes_user on recovery_codes (user_id);
create index second_factor_setups_user on second_factor_setups (user_id);
create index second_factor_setups_end on second_factor_setups (expires_at, session_hash);
create index second_step_attempts_user on second_step_attempts (user_id);
create index second_step_attempts_end on second_step_attempts (expires_at, attempt_hash);
create index charges_reservation on charges (reservation_id);
create index charges_user on charges (user_id);
create index charges_subscription on charges (subscription_id);
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
