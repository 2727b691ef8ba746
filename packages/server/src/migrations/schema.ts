import type {
  MembershipProductType,
  SellerProductType,
  WebhookEventType,
} from '@latchkey/contract/constants';
import type { Generated, Selectable } from 'kysely';

/** Columns of a row that any process may handle: a delivery or a mail to send. */
type SharedWork = {
  attempts: Generated<number>;
  next_attempt_at: number;
  /** Lease of the worker that handles the row. It ends at `leased_until`. */
  lease_id: string | null;
  leased_until: number | null;
  created_at: number;
  finished_at: number | null;
};

/**
 * Tables of the database, as types for Kysely. Times are integer milliseconds since the epoch. Ids are lower-case
 * UUIDs. Booleans are 1 and 0. Lists are JSON strings. `*_hash` is SHA-256 in hex, and the hashed secret isn't stored.
 * `hashToken` hashes access and refresh tokens.
 */
export interface Schema {
  users: {
    id: string;
    /**
     * Trimmed, lower case, unique. The user has proved that the address is theirs. Null for a user known to communities
     * only, by an address in `community_emails` or an account in `messenger_accounts`.
     */
    email: string | null;
    /** When the user proved that the address is theirs, or the operator confirmed it. */
    email_verified_at: Generated<number | null>;
    name: string | null;
    /** Messenger account that the operator entered. Accounts from partners are in `messenger_accounts`. */
    messenger_user_id: number | null;
    created_at: number;
    /**
     * When the account was deleted; null for a user. The row of a deleted account has no address, no name, and an id
     * that can only be derived from the deleted user's id.
     */
    deleted_at: Generated<number | null>;
    /**
     * Language that the user last used on a page, such as `de`. Emails are in this language. Null before the first
     * sign-in or payment.
     */
    language: Generated<string | null>;
  };
  communities: {
    id: string;
    name: string;
    created_at: number;
    logo_url: Generated<string | null>;
    /** `#rrggbb` in lower case. */
    accent: Generated<string | null>;
    /** When an owner or the operator closed it, for good; null while it's open. */
    closed_at: Generated<number | null>;
    /** When a worker deleted what a closed community no longer needs. */
    cleared_at: Generated<number | null>;
  };
  community_roles: {
    community_id: string;
    user_id: string;
    role: 'OWNER' | 'ADMIN';
    is_active: 0 | 1;
  };
  /** Users who may open the operator area. */
  operators: {
    user_id: string;
    /** `VIEWER` reads, `ADMIN` also changes. */
    role: 'VIEWER' | 'ADMIN';
    created_at: number;
  };
  memberships: {
    id: string;
    user_id: string;
    product_type: MembershipProductType;
    /** A user has at most one row per community and one per product. */
    community_id: string | null;
    product_id: string | null;
    valid_from: number;
    /** Null for lifetime access. */
    valid_until: number | null;
    /** Plan of the current period, else of the next one, else of the last one. */
    pricing_plan_id: Generated<string | null>;
    /** Order id of the newest external provisioning. Only a call with this id counts as a repeat. */
    external_order_id: Generated<string | null>;
    /** Subscription that renews the membership; null if none does. */
    subscription_id: Generated<string | null>;
    /** When the subscription was cancelled. The paid time stays, but nothing renews the membership any more. */
    subscription_cancelled_at: Generated<number | null>;
    /** End of the last period that the subscription paid. The next one is charged shortly before. */
    renews_at: Generated<number | null>;
    /** When the periods next change the columns above without ending all access. Null if they don't. */
    plan_changes_at: Generated<number | null>;
    /** When the event about the expiry was recorded. New access resets it to null. */
    lapse_announced_at: Generated<number | null>;
  };
  /**
   * The periods that a membership was paid or granted for. The columns of `memberships` hold the current access.
   * `timeline.ts` has the rules.
   */
  membership_periods: {
    id: string;
    membership_id: string;
    /** Null for access without a plan. */
    plan_id: string | null;
    starts_at: number;
    /** Null if it has no end. */
    ends_at: number | null;
    source: 'payment' | 'renewal' | 'free' | 'grant' | 'invitation' | 'provisioning';
    /** Payment for the period; null if it cost nothing. */
    payment_id: string | null;
    subscription_id: string | null;
    created_at: number;
  };
  products: {
    id: string;
    owner_id: string;
    name: string;
    slug: string;
    type: SellerProductType | null;
    created_at: number;
    /** In the currency's minor unit; null if the product isn't for sale. */
    price_minor: Generated<number | null>;
    /** ISO 4217, upper case; null if the product isn't for sale. */
    currency: Generated<string | null>;
    description: Generated<string | null>;
  };
  oauth_clients: {
    client_id: string;
    owner_id: string;
    type: 'public' | 'confidential';
    /** Null for a public client. */
    secret_hash: string | null;
    name: string;
    description: string | null;
    logo_url: string | null;
    redirect_uris: string;
    widget_origins: string;
    scopes: string;
    created_at: number;
    /** When the operator verified the client; null if they haven't. */
    verified_at: Generated<number | null>;
    /** `#rrggbb` in lower case. */
    accent: Generated<string | null>;
  };
  authorization_codes: {
    id: string;
    code_hash: string;
    client_id: string;
    user_id: string;
    redirect_uri: string;
    /** Space-separated. */
    scope: string;
    code_challenge: string | null;
    expires_at: number;
    spent_at: number | null;
  };
  /** An access token with its refresh token. One row holds both, so a refresh takes one update and one insert. */
  token_pairs: {
    id: string;
    /** Authorization code for which the first pair of the chain was issued. */
    code_id: string;
    client_id: string;
    user_id: string;
    /** Space-separated. */
    scope: string;
    access_token_hash: string;
    access_expires_at: number;
    access_revoked_at: number | null;
    refresh_token_hash: string;
    refresh_expires_at: number;
    /** When the refresh token was rotated or revoked. */
    refresh_spent_at: number | null;
  };
  /** What a user has allowed a client, as the consent page showed it. */
  consents: {
    user_id: string;
    client_id: string;
    /** SHA-256 of the redirect URI and the receiver. */
    place_hash: string;
    redirect_uri: string;
    /** Origin of the page that receives the codes. Null if no page does. */
    receiver: string | null;
    /** List of scopes. */
    scope: string;
    client_name: string;
    /** SHA-256 of the client's logo and description. */
    look_hash: string;
    is_verified: 0 | 1;
    granted_at: number;
  };
  user_sessions: {
    id_hash: string;
    user_id: string;
    created_at: number;
    expires_at: number;
    /** Browser and system at the last use: "Firefox on Linux". Null for an unknown browser. */
    browser: Generated<string | null>;
    /** Network of the client at the last use, never its address: an IPv4 /24 or an IPv6 /48. Null if unknown. */
    network: Generated<string | null>;
    /** Updated only every few minutes. Null until the first use. */
    last_used_at: Generated<number | null>;
  };
  /** A counter of sign-in codes or wrong codes in one period. */
  sign_in_budgets: {
    /** Hash of what is counted: the kind, and the mailbox, client or browser. */
    key_hash: string;
    used: number;
    ends_at: number;
  };
  /** A browser that proved by a sign-in, or by a link in an email, that its user holds an email address. */
  known_browsers: {
    /** Hash of the secret in the browser's cookie. */
    secret_hash: string;
    email: string;
    expires_at: number;
  };
  sign_in_codes: {
    /** Hash of the secret of the attempt. Only the browser has the secret. */
    attempt_hash: string;
    email: string;
    code_hash: string;
    tries: number;
    created_at: number;
    expires_at: number;
    spent_at: number | null;
  };
  /** A change of a user's address. It waits for the code from the new address, or the earlier address can still undo it. */
  email_changes: {
    id: string;
    user_id: string;
    old_email: string;
    new_email: string;
    /** Hash of the secret of the browser that began the change; null once it's done. */
    attempt_hash: string | null;
    /** Hash of the secret in the email to the earlier address; null until it's sent. */
    undo_hash: string | null;
    /** Null until the code was entered. */
    changed_at: number | null;
    /** When the code expires, or when the change can no longer be undone. */
    expires_at: number;
  };
  /** The authenticator app of a user with two-step sign-in. */
  second_factors: {
    user_id: string;
    /** Secret of the app in base32. Not hashed: each code is computed from it. */
    secret: string;
    /** Time step of the last accepted code. Codes of this step and of earlier ones are rejected. */
    last_step: number;
    created_at: number;
  };
  recovery_codes: {
    code_hash: string;
    user_id: string;
    used_at: number | null;
  };
  /** An authenticator app that its user hasn't confirmed yet. A session has at most one. */
  second_factor_setups: {
    session_hash: string;
    user_id: string;
    /** In base32. */
    secret: string;
    expires_at: number;
  };
  /** A sign-in that waits for the second step, after the emailed code. */
  second_step_attempts: {
    /** Hash of the secret of the attempt. Only the browser has the secret. */
    attempt_hash: string;
    user_id: string;
    tries: number;
    expires_at: number;
    spent_at: number | null;
  };
  pricing_plans: {
    id: string;
    community_id: string;
    name: string;
    /** In the currency's minor unit: cents. */
    price_minor: number;
    /** ISO 4217, upper case. */
    currency: string;
    /** Days of access per payment; null for lifetime access. */
    period_days: number | null;
    /** 1 if a subscription at the payment provider renews the plan. */
    renews: 0 | 1;
    provider: 'card' | 'crypto';
    created_at: number;
    /** Set once the plan can no longer be bought. Members who bought it keep access. */
    archived_at: number | null;
    description: Generated<string | null>;
    /** JSON array of lines. */
    benefits: Generated<string>;
  };
  api_keys: {
    id: string;
    owner_id: string;
    name: string;
    key_hash: string;
    key_prefix: string;
    /** Last four characters of the key. Owners recognize it by them. */
    key_ending: string;
    permissions: string;
    created_at: number;
    revoked_at: number | null;
  };
  /** A user who may create API keys with MEMBERSHIP_PROVISION. */
  provisioning_grants: {
    user_id: string;
    granted_at: number;
  };
  checkout_reservations: {
    id: string;
    /** Owner of the API key that opened the reservation; null if the buyer opened it on a page of the service. */
    caller_id: string | null;
    external_id: string | null;
    /** Either plan and community are set, or the product. */
    community_id: string | null;
    pricing_plan_id: string | null;
    product_id: string | null;
    /** Buyer. */
    user_id: string;
    success_url: string;
    cancel_url: string;
    utm_source: string | null;
    /** When the reservation was last opened. */
    created_at: number;
    /** Time of the payment, which creates the membership. */
    paid_at: number | null;
    membership_id: string | null;
  };
  /** A URL where a reservation can be paid. Opening the reservation again adds one, and earlier ones stay valid. */
  checkout_links: {
    /** Hash of the secret in the URL. */
    secret_hash: string;
    reservation_id: string;
    /** When the URL stops accepting payments. */
    expires_at: number;
  };
  /** The price that a buyer agreed to pay for every period. Later changes of the plan don't affect it. */
  subscriptions: {
    id: string;
    /** Checkout that started the subscription. */
    reservation_id: string;
    /** Payment method that renewals charge: an opaque id of the payment provider. Null if its own page offered the methods. */
    payment_method: string | null;
    amount_minor: number;
    currency: string;
    period_days: number;
    created_at: number;
  };
  /** A charge that was started and has no stored result. The payment provider may have the money. */
  charges: {
    /** Order id at the payment provider. */
    order_id: string;
    /** Checkout that is paid, or that started the subscription. */
    reservation_id: string;
    /** Buyer. */
    user_id: string;
    /** Subscription that the charge renews; null for the payment of a checkout. */
    subscription_id: string | null;
    /** End of the period before the one that is charged; null for the payment of a checkout. */
    period_end: number | null;
    /** Payment method of the last attempt. Null for a renewal, or if the provider's page offers the methods. */
    payment_method: string | null;
    /** Facts of the checkout as JSON, as of the last attempt. Null for a renewal. */
    facts: string | null;
    /** Number of attempts without a stored result. */
    attempts: number;
    /** Time of the last attempt. */
    started_at: number;
    /** When an attempt to charge a checkout ended without a result; null if none did. */
    lost_at: number | null;
    /** For a renewal, when the lease of the charging process ends. For a checkout, when its order is looked up. */
    look_up_at: number;
    /** The provider's id of the attempt for which the buyer was sent to its page. */
    reference: Generated<string | null>;
    /** When the buyer's return last made us ask the provider. */
    asked_at: Generated<number | null>;
    /** Since when nobody can pay the order. The row stays in case a payment is reported anyway. */
    closed_at: Generated<number | null>;
  };
  payments: {
    id: string;
    /** Null for a renewal, and for a payment that gave no access. */
    reservation_id: string | null;
    user_id: string;
    community_id: string | null;
    product_id: string | null;
    pricing_plan_id: string | null;
    status: 'succeeded' | 'failed';
    /** Reason of a failed payment. `no_access` for a successful payment that gave no access. */
    reason: string | null;
    amount_minor: number;
    currency: string;
    utm_source: string | null;
    created_at: number;
    /** Order id at the payment provider. Null for free orders. */
    order_id: Generated<string | null>;
    /** Name of the payment provider. Null for free orders and failed payments. */
    provider: Generated<string | null>;
    /** Id of the payment at the provider. Null for free orders and failed payments. */
    reference: Generated<string | null>;
    /** How much of the amount was refunded to the buyer. */
    refunded_minor: Generated<number>;
    /** Time of the provider's newest report about refunds, by its clock; null before the first one. */
    refunded_at: Generated<number | null>;
    /** State of the buyer's dispute with their bank; null if there is none. */
    dispute: Generated<'open' | 'won' | 'lost' | null>;
    /** Time of the provider's newest report about the dispute, by its clock. */
    disputed_at: Generated<number | null>;
    /** When the provider is next asked for refunds and disputes; null once it no longer is. */
    look_up_at: Generated<number | null>;
  };
  /** A refund that a seller requested. It's stored before the provider is asked, so a crash can't lose it. */
  refunds: {
    /** Idempotency key at the provider. */
    id: string;
    payment_id: string;
    amount_minor: number;
    /** How much of the payment was already refunded when this refund was requested. */
    refunded_before: number;
    status: 'pending' | 'refunded' | 'failed';
    /** The provider's reason for a failed refund. */
    reason: string | null;
    created_at: number;
    /** When the provider is asked again, while the refund is pending. */
    try_at: number;
  };
  /** A subscription at the payment provider, or what it saved for later payments. */
  provider_subscriptions: {
    /** Id at the provider. */
    reference: string;
    provider: string;
    /** Order that started the subscription. */
    order_id: string;
    subscription_id: string;
    /** When it ended at the provider. */
    ended_at: number | null;
    /** When the provider is asked to end it, once it no longer renews anything. */
    try_at: number;
  };
  /** An event from the payment provider, stored with its effect. */
  provider_events: {
    id: string;
    provider: string;
    kind: string;
    order_id: string;
    reference: string;
    /** `applied` if it had an effect; otherwise why not. */
    outcome: 'applied' | 'no-change' | 'unknown' | 'other-mode' | 'other-price';
    /** By the provider's clock. */
    created_at: number;
    received_at: number;
  };
  drop_slots: {
    id: string;
    community_id: string;
    name: string;
    /** Null for unlimited slots. */
    slots: number | null;
    slots_used: Generated<number>;
    starts_at: number;
    ends_at: number | null;
    created_at: number;
  };
  drop_signups: {
    id: string;
    drop_slot_id: string;
    email: string;
    /** E.164. */
    phone_number: string | null;
    created_at: number;
  };
  messenger_bots: {
    community_id: string;
    name: string;
    created_at: number;
  };
  messenger_invites: {
    id: string;
    link_hash: string;
    community_id: string;
    /** Buyer. No other user's messenger account may join. */
    user_id: string;
    /** 1 if the buyer has no account yet and the first one that joins becomes theirs. */
    binds_account: 0 | 1;
    expires_at: number;
    created_at: number;
  };
  messenger_join_requests: {
    id: string;
    invite_id: string;
    messenger_user_id: number;
    accepted: 0 | 1;
    /** Reason of a rejected request. */
    reason: string | null;
    created_at: number;
  };
  webhooks: {
    id: string;
    owner_id: string;
    /** Either this or `product_id` is set. */
    community_id: string | null;
    product_id: string | null;
    url: string;
    /** 64 hex characters. Stored unhashed: the server signs every delivery with it. */
    secret: string;
    is_active: Generated<0 | 1>;
    failing_since: number | null;
    /** When failed attempts paused the webhook. Nothing is sent until its owner resumes it. */
    paused_at: number | null;
    created_at: number;
    /** Time of the first 2xx response from this URL; null before it. */
    answered_at: Generated<number | null>;
    /** Failed attempts before the first 2xx response from this URL, since the owner last saved or resumed the webhook. */
    unanswered_attempts: Generated<number>;
  };
  webhook_events: {
    id: string;
    type: WebhookEventType;
    community_id: string | null;
    product_id: string | null;
    /** The JSON that is sent, byte for byte. */
    body: string;
    created_at: number;
  };
  webhook_deliveries: SharedWork & {
    id: string;
    event_id: string;
    webhook_id: string;
    status: 'pending' | 'delivered' | 'failed';
  };
  webhook_attempts: {
    id: string;
    delivery_id: string;
    attempted_at: number;
    duration_ms: number;
    /** Null if there was no response. */
    status_code: number | null;
    failure: string | null;
    /** Null for an attempt that sent no request. */
    request_url: Generated<string | null>;
    /** JSON list of names and values, in the order in which they were sent. */
    request_headers: Generated<string | null>;
    /** JSON list of names and values. Null without a response. The endpoint wrote them. */
    response_headers: Generated<string | null>;
    /** Start of the response body, decoded. Null without a response. The endpoint wrote it. */
    response_body: Generated<string | null>;
    /** Number of bytes of the response body that arrived. Larger than what was kept if it was cut off. */
    response_bytes: Generated<number | null>;
  };
  widget_files: {
    release: string;
    file: string;
    content: string;
    released_at: number;
  };
  /** Purpose of the database. The first start inserts the only row. */
  database_use: {
    id: 1;
    /** Purpose that the first server on this database recorded; see the option `databasePurpose`. */
    use: string;
    since: number;
  };
  /** Names of the service that the database belongs to. At most one row. */
  service_names: {
    id: 1;
    api_key_prefix: string;
    header_prefix: string;
    messenger: string;
  };
  /** A user's messenger account in one community only. A partner supplied it, or the buyer joined the community with it. */
  messenger_accounts: {
    community_id: string;
    user_id: string;
    messenger_user_id: number;
    /** When the account was linked to the user. */
    joined_at: number;
  };
  /**
   * A person that somebody else told a community about: a partner, or whoever typed the address at a checkout. While
   * the row exists, the community sees the address and `shown_id`, and nothing that only the person could have given.
   * The row is deleted when the person acts.
   */
  community_emails: {
    id: string;
    community_id: string;
    user_id: string;
    /** The address as typed; null if a partner sent only a messenger account. */
    email: string | null;
    /** The `sub` that the community sees. */
    shown_id: string;
    /** When somebody last told the community about the person. */
    linked_at: number;
  };
  /** A form that was submitted. Submitting it again, by a reload or a double click, has no effect. */
  form_submissions: {
    user_id: string;
    /** Random id, created when the form was shown. */
    id: string;
    submitted_at: number;
  };
  /**
   * A seller's invitation to an email address. It gives no access. Whoever holds the address accepts it, which deletes
   * the row, or declines it. There is one row per community, kind and address.
   */
  invitations: {
    id: string;
    community_id: string;
    /** Trimmed, lower case. An account with this address need not exist. */
    email: string;
    kind: 'membership' | 'role';
    /** Set for a role. */
    role: 'OWNER' | 'ADMIN' | null;
    /** First instant of access; set for a membership. */
    valid_from: number | null;
    /** Null for lifetime access or a role. */
    valid_until: number | null;
    invited_by: string;
    created_at: number;
    /** When the invitation can no longer be accepted. For a declined one, when its sender may invite again. */
    expires_at: number;
    declined_at: number | null;
  };
  /** An email that a background worker sends. The transaction that causes it writes it. */
  mail_outbox: SharedWork & {
    id: string;
    kind:
      | 'receipt'
      | 'refunded'
      | 'renewal-failed'
      | 'invitation'
      | 'two-step'
      | 'email-change'
      | 'account-deleted';
    /** Id of the payment, the invitation or the change. There is one row per kind and id. */
    subject_id: string;
    /** Email address; empty once the email is finished. */
    recipient: string;
    /** Language that it will be written in. */
    language: string;
    /** JSON with the facts at the time of the cause. Contains no secrets. */
    facts: string;
    /** `dropped`: the cause was gone before the email was sent. */
    status: 'pending' | 'sent' | 'dropped' | 'failed';
  };
  /** A mailbox that gets no invitations by email. */
  invitation_opt_outs: {
    /** Hash of the address without its tag; see `mailboxOf`. */
    mailbox_hash: string;
    opted_out_at: number;
  };
  /** The link in an invitation's email that opts the mailbox out, without a sign-in. */
  opt_out_links: {
    secret_hash: string;
    mailbox_hash: string;
    expires_at: number;
  };
  /**
   * A change that somebody made, recorded for good: the database rejects updates and deletions. Contains ids, but no
   * personal data and no secrets.
   */
  audit_entries: {
    /** Ordered by time. */
    id: string;
    created_at: number;
    actor_kind: 'user' | 'api-key' | 'client' | 'operator' | 'visitor' | 'system';
    /** Id of the user, the API key or the client, which may have been deleted since. */
    actor_id: string | null;
    /** Such as `plan.create`. */
    action: string;
    subject_id: string | null;
    community_id: string | null;
    /** JSON object. */
    details: string;
  };
  /** The applied migrations. From here, versions without a migration learn whether they work on its schema. */
  migration_kinds: {
    name: string;
    kind: 'expand' | 'contract';
    /** Contract only: the oldest migration that a version must contain to work without what this one removed. */
    works_from: string | null;
  };
}

/** Row that a query reads. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
