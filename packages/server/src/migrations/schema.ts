import type {
  MembershipProductType,
  SellerProductType,
  WebhookEventType,
} from '@latchkey/contract/constants';
import type { Generated } from 'kysely';

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
 * Tables of the database, as types for Kysely. Times are integer milliseconds since the epoch. Ids are lower-case UUIDs.
 * Booleans are 1 and 0. Lists are JSON text. `*_hash` is SHA-256 in hex, and the hashed secret is not stored. The hashes of access
 * and refresh tokens are those of `hashToken`.
 */
export interface Schema {
  users: {
    id: string;
    /**
     * Trimmed, lower case, unique. The holder of the address is the user, and has proved it. Null for a user whom nobody but a
     * community knows, by an address in `community_emails` or an account in `messenger_accounts`.
     */
    email: string | null;
    /** Time at which the holder of the address, or the operator, proved it. */
    email_verified_at: Generated<number | null>;
    name: string | null;
    /** Messenger account that the operator entered. Accounts from partners are in `messenger_accounts`. */
    messenger_user_id: number | null;
    created_at: number;
    /**
     * Time of the deletion of the account that the row stands for; null for a user. Such a row has no address and no name, and an id
     * that only the id of the deleted user leads to.
     */
    deleted_at: Generated<number | null>;
    /** Language that the user last used on a page, such as `de`. Later mails are in it. Null before the first sign-in or payment. */
    language: Generated<string | null>;
  };
  communities: {
    id: string;
    name: string;
    created_at: number;
    logo_url: Generated<string | null>;
    /** `#rrggbb` in lower case. */
    accent: Generated<string | null>;
    /** Time at which an owner or the operator closed it, for good; null while it is open. */
    closed_at: Generated<number | null>;
    /** Time at which a worker deleted what a closed community no longer needs. */
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
    /** Plan of the running period; of the next one before it, and of the last one after it. */
    pricing_plan_id: Generated<string | null>;
    /** Order id of the newest external provisioning. Only a call with this id counts as a repetition. */
    external_order_id: Generated<string | null>;
    /** Subscription that renews the membership; null if none does. */
    subscription_id: Generated<string | null>;
    /** Time of the cancellation of the subscription. The paid time stays, and nothing renews the membership. */
    subscription_cancelled_at: Generated<number | null>;
    /** End of the last period that the subscription paid. The next one is charged shortly before. */
    renews_at: Generated<number | null>;
    /** Next instant at which the periods change the columns above, without an end of all access. Null if there is none. */
    plan_changes_at: Generated<number | null>;
    /** Time at which the event of the expiry was recorded. A new window resets it to null. */
    lapse_announced_at: Generated<number | null>;
  };
  /** What a membership was paid or granted for. Its own columns are the access that runs now. `timeline.ts` has the rules. */
  membership_periods: {
    id: string;
    membership_id: string;
    /** Null for access without a plan. */
    plan_id: string | null;
    starts_at: number;
    /** Null if it has no end. */
    ends_at: number | null;
    source: 'payment' | 'renewal' | 'free' | 'grant' | 'invitation' | 'provisioning';
    /** Payment that bought the period; null if it cost nothing. */
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
    /** In the currency's minor unit; null if the product is not for sale. */
    price_minor: Generated<number | null>;
    /** ISO 4217, upper case; null if the product is not for sale. */
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
    /** Time at which the operator verified the client; null if it has not. */
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
  /** Access token with its refresh token. Both are in one row, so that a refresh is one update and one insert. */
  token_pairs: {
    id: string;
    /** Authorization code that the first pair of the chain was issued for. */
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
    /** Time at which the refresh token was rotated or revoked. */
    refresh_spent_at: number | null;
  };
  /** What a user has allowed a client, as the consent page showed it. */
  consents: {
    user_id: string;
    client_id: string;
    /** SHA-256 of the redirect URI and the receiver. */
    place_hash: string;
    redirect_uri: string;
    /** Origin that receives the codes. Null if no page receives them. */
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
    /** Name of the browser and its system at the last use: "Firefox on Linux". Null for an unknown browser. */
    browser: Generated<string | null>;
    /** Network of the client at the last use, never its address: an IPv4 /24 or an IPv6 /48. Null if it is unknown. */
    network: Generated<string | null>;
    /** Updated every few minutes only. Null until the first use. */
    last_used_at: Generated<number | null>;
  };
  /** Counter of sign-in codes or wrong codes in one period. */
  sign_in_budgets: {
    /** Hash of what is counted: the kind, and the mailbox, client or browser. */
    key_hash: string;
    used: number;
    ends_at: number;
  };
  /** Browser that proved that its user holds an email address, by a sign-in or by a link in a mail. */
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
  /** Change of a user's address: one that waits for the code from the new address, or one that the earlier address can undo. */
  email_changes: {
    id: string;
    user_id: string;
    old_email: string;
    new_email: string;
    /** Hash of the secret of the browser that began the change; null once it is done. */
    attempt_hash: string | null;
    /** Hash of the secret in the mail to the earlier address; null until the mail is sent. */
    undo_hash: string | null;
    /** Null until the code was entered. */
    changed_at: number | null;
    /** End of the code, or of the time in which the change can be undone. */
    expires_at: number;
  };
  /** Authenticator app of a user with two-step sign-in. */
  second_factors: {
    user_id: string;
    /** Secret of the app in base32. It is not hashed, because each code is computed from it. */
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
  /** Authenticator app that its user has not confirmed. One session has at most one. */
  second_factor_setups: {
    session_hash: string;
    user_id: string;
    /** In base32. */
    secret: string;
    expires_at: number;
  };
  /** Sign-in that waits for the second step, after the e-mailed code. */
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
    /** 1 if a subscription of the payment provider renews the plan. */
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
    /** Last four characters of the key, by which owners recognize it. */
    key_ending: string;
    permissions: string;
    created_at: number;
    revoked_at: number | null;
  };
  /** User who may create API keys with MEMBERSHIP_PROVISION. */
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
    /** Time at which the reservation was last opened. */
    created_at: number;
    /** Time of the payment, which creates the membership. */
    paid_at: number | null;
    membership_id: string | null;
  };
  /** Address at which a reservation can be paid. Opening the reservation again adds one. Earlier addresses stay valid. */
  checkout_links: {
    /** Hash of the secret in the address. */
    secret_hash: string;
    reservation_id: string;
    /** First instant at which the address no longer accepts payments. */
    expires_at: number;
  };
  /** Price that a buyer agreed to pay for every period. Later changes of the plan do not affect it. */
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
  /** Charge that was started and has no stored result. The payment provider may have the money. */
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
    /** Payment method of the last attempt. Null for a renewal, and if the provider's page offers the methods. */
    payment_method: string | null;
    /** Facts of the checkout as JSON, as of the last attempt. Null for a renewal. */
    facts: string | null;
    /** Number of attempts without a stored result. */
    attempts: number;
    /** Time of the last attempt. */
    started_at: number;
    /** Time at which an attempt at the charge of a checkout ended without a result; null while none did. */
    lost_at: number | null;
    /** End of the lease of the process that charges a renewal. Time from which the order of a checkout is looked up. */
    look_up_at: number;
    /** The provider's id of the attempt for which the buyer was sent to its page. */
    reference: Generated<string | null>;
    /** Time at which the provider was last asked because the buyer returned. */
    asked_at: Generated<number | null>;
    /** Time since which nobody can pay the order. The row stays, in case a payment is reported all the same. */
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
    /** Part of the amount that went back to the buyer by refunds. */
    refunded_minor: Generated<number>;
    /** Time of the provider's newest report about refunds, by its clock; null before the first one. */
    refunded_at: Generated<number | null>;
    /** State of the buyer's dispute with their bank; null if there is none. */
    dispute: Generated<'open' | 'won' | 'lost' | null>;
    /** Time of the provider's newest report about the dispute, by its clock. */
    disputed_at: Generated<number | null>;
    /** Time from which the provider is asked for refunds and disputes; null once it is no longer asked. */
    look_up_at: Generated<number | null>;
  };
  /** Refund that a seller requested. It is stored before the provider is asked, so a crash loses none. */
  refunds: {
    /** Idempotency key at the provider. */
    id: string;
    payment_id: string;
    amount_minor: number;
    /** Part of the payment that had been refunded when the refund was requested. */
    refunded_before: number;
    status: 'pending' | 'refunded' | 'failed';
    /** The provider's reason for a failed refund. */
    reason: string | null;
    created_at: number;
    /** Time from which the provider is asked again while the refund is pending. */
    try_at: number;
  };
  /** Subscription at the payment provider, or what it saved for later payments. */
  provider_subscriptions: {
    /** Id at the provider. */
    reference: string;
    provider: string;
    /** Order that began the subscription. */
    order_id: string;
    subscription_id: string;
    /** Time at which it ended at the provider. */
    ended_at: number | null;
    /** Time from which the provider is asked to end it, once nothing is renewed by it any more. */
    try_at: number;
  };
  /** Event of the payment provider, stored with its effect. */
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
    /** 1 if the first account that joins becomes the account of a buyer without one. */
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
    /** 64 hex characters, stored unhashed, because the server signs every delivery with it. */
    secret: string;
    is_active: Generated<0 | 1>;
    failing_since: number | null;
    /** Time of the pause after failed attempts. No deliveries are sent until the owner resumes the webhook. */
    paused_at: number | null;
    created_at: number;
    /** Time of the first 2xx response at this URL; null before it. */
    answered_at: Generated<number | null>;
    /** Failed attempts at this URL before the first 2xx response, since the owner last saved or resumed the webhook. */
    unanswered_attempts: Generated<number>;
  };
  webhook_events: {
    id: string;
    type: WebhookEventType;
    community_id: string | null;
    product_id: string | null;
    /** JSON that is sent, byte for byte. */
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
    /** Start of the response body, as text. Null without a response. The endpoint wrote it. */
    response_body: Generated<string | null>;
    /** Number of bytes that arrived of the response body. Larger than the kept text if it was cut off. */
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
  /** Names of the service whose data the database contains. At most one row. */
  service_names: {
    id: 1;
    api_key_prefix: string;
    header_prefix: string;
    messenger: string;
  };
  /**
   * Messenger account of a user in one community only. A partner supplied it, or the buyer joined the community with it.
   */
  messenger_accounts: {
    community_id: string;
    user_id: string;
    messenger_user_id: number;
    /** Time of the link between account and user. */
    joined_at: number;
  };
  /**
   * A person whom somebody else named to a community: a partner, or whoever typed the address at a checkout. While the row exists,
   * the community sees the address and `shown_id`, and nothing that only the person could have given. It ends when the person acts.
   */
  community_emails: {
    id: string;
    community_id: string;
    user_id: string;
    /** Address as it was typed; null if a partner named the person by messenger account only. */
    email: string | null;
    /** The `sub` that the community sees. */
    shown_id: string;
    /** Time at which the person was last named to the community. */
    linked_at: number;
  };
  /** Form that was submitted. A second submission, by a reload or a double click, has no effect. */
  form_submissions: {
    user_id: string;
    /** Random id, created when the form was shown. */
    id: string;
    submitted_at: number;
  };
  /**
   * Invitation of a seller to an email address. It gives no access. The holder of the address accepts it, which deletes the
   * row, or declines it. There is one row per community, kind and address.
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
    /** Null for lifetime access, and for a role. */
    valid_until: number | null;
    invited_by: string;
    created_at: number;
    /** First instant at which the invitation can no longer be accepted. For a declined one, the end of the block. */
    expires_at: number;
    declined_at: number | null;
  };
  /** Mail that a background worker sends. The transaction of its cause writes it. */
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
    /** Email address; empty once the mail is finished. */
    recipient: string;
    /** Language in which it will be written. */
    language: string;
    /** JSON with facts of the time of the cause. Contains no secrets. */
    facts: string;
    /** `dropped`: the cause was gone before the mail was sent. */
    status: 'pending' | 'sent' | 'dropped' | 'failed';
  };
  /** Mailbox that receives no invitations by mail. */
  invitation_opt_outs: {
    /** Hash of the address without its tag; see `mailboxOf`. */
    mailbox_hash: string;
    opted_out_at: number;
  };
  /** Link in the mail of an invitation. It opts its mailbox out, without a sign-in. */
  opt_out_links: {
    secret_hash: string;
    mailbox_hash: string;
    expires_at: number;
  };
  /** Change that somebody made, for good: the database rejects updates and deletions. Contains ids, no personal data and no secrets. */
  audit_entries: {
    /** In the order of time. */
    id: string;
    created_at: number;
    actor_kind: 'user' | 'api-key' | 'client' | 'operator' | 'visitor' | 'system';
    /** Id of the user, the API key or the client, even if it was deleted since. */
    actor_id: string | null;
    /** Such as `plan.create`. */
    action: string;
    subject_id: string | null;
    community_id: string | null;
    /** JSON object. */
    details: string;
  };
  /** Applied migrations. Versions that do not contain a migration learn here if they work on its schema. */
  migration_kinds: {
    name: string;
    kind: 'expand' | 'contract';
    /** Contract only: the oldest migration that a version must contain to work without what this one removed. */
    works_from: string | null;
  };
}
