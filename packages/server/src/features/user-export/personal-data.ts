import type { Schema } from '../../migrations/schema.js';
import { camelNameOf } from '../../platform/database/rows.js';

const REASONS = {
  secret: 'A secret, or the hash of one. It would help whoever steals the export.',
  internal: 'Bookkeeping of the service that says nothing about you.',
  others: 'Data of another person.',
  payment: 'Reference with which the payment provider charges you. The provider has the data behind it.',
  return: 'Address on the seller’s site. It can open what is not paid for yet.',
  limits: 'Counters under hashes, which limit guesses and mails. They end within days.',
  log: 'Log of webhooks, deleted after 30 days. It repeats your memberships, payments and signups, between those of others.',
  community: 'Belongs to a community, not to a person.',
  service: 'Belongs to the service, not to a person.',
} as const;

type Reason = keyof typeof REASONS;

/** Set of values that belong to the user: the id, the proven address and its mailbox, or ids of rows. */
export type OwnSet =
  | 'id'
  | 'email'
  | 'mailbox'
  | 'orders'
  | 'payments'
  | 'memberships'
  | 'communities'
  | 'joinRequests';

interface Part {
  readonly key: string;
  /** Sets by column. A row is about the user if one of these columns has a value from its set. */
  readonly by: Readonly<Record<string, OwnSet>>;
  /** Exported columns. The first one sorts the rows, the latest first. */
  readonly columns: readonly string[];
  /** Other columns, by the reason why they aren't exported. */
  readonly withheld: Partial<Readonly<Record<Reason, string>>>;
}

function part(key: string, by: Part['by'], columns: string, withheld: Part['withheld'] = {}): Part {
  return { key, by, columns: columns.split(' '), withheld };
}

/** A table that isn't exported, with its columns with data about users. */
interface Withheld {
  readonly reason: Reason;
  readonly about: readonly string[];
}

function withheld(reason: Reason, about = ''): Withheld {
  return { reason, about: about.split(' ').filter(Boolean) };
}

const USER = { user_id: 'id' } as const;
const OWNER = { owner_id: 'id' } as const;
const ADDRESS = { email: 'email' } as const;

/**
 * Where the service stores data about users, and how an export contains it. A test compares it with the tables of a
 * database: a new column of an exported table, or a new column with a person's id or address, fails that test until
 * it's added here.
 */
export const PERSONAL_DATA: Readonly<Record<keyof Schema, Part | readonly Part[] | Withheld>> = {
  users: part('user', { id: 'id' }, 'id email email_verified_at name messenger_user_id language created_at', {
    internal: 'deleted_at',
  }),
  user_sessions: part('sessions', USER, 'created_at last_used_at expires_at browser network', {
    secret: 'id_hash',
  }),
  second_factors: part('twoStepSignIn', USER, 'created_at', { secret: 'secret', internal: 'last_step' }),
  recovery_codes: part('recoveryCodes', USER, 'used_at', { secret: 'code_hash' }),
  second_factor_setups: part('twoStepSetups', USER, 'expires_at', { secret: 'session_hash secret' }),
  second_step_attempts: part('secondSteps', USER, 'expires_at spent_at tries', { secret: 'attempt_hash' }),
  sign_in_codes: part('signInCodes', ADDRESS, 'created_at expires_at spent_at tries', {
    secret: 'attempt_hash code_hash',
  }),
  email_changes: part('emailChanges', USER, 'changed_at expires_at old_email new_email', {
    ...{ secret: 'attempt_hash undo_hash', internal: 'id' },
  }),
  known_browsers: part('knownBrowsers', ADDRESS, 'expires_at', { secret: 'secret_hash' }),
  consents: part(
    ...(['consents', USER] as const),
    'granted_at client_id client_name is_verified scope redirect_uri receiver',
    { internal: 'place_hash look_hash' },
  ),
  authorization_codes: part('authorizationCodes', USER, 'expires_at spent_at client_id scope redirect_uri', {
    ...{ secret: 'code_hash code_challenge', internal: 'id' },
  }),
  token_pairs: part(
    ...(['tokens', USER] as const),
    'refresh_expires_at refresh_spent_at access_expires_at access_revoked_at client_id scope',
    { secret: 'access_token_hash refresh_token_hash', internal: 'id code_id' },
  ),
  memberships: part(
    ...(['memberships', USER] as const),
    'valid_from valid_until id product_type community_id product_id pricing_plan_id external_order_id subscription_id subscription_cancelled_at renews_at',
    { internal: 'plan_changes_at lapse_announced_at' },
  ),
  membership_periods: part(
    ...(['membershipPeriods', { membership_id: 'memberships' }] as const),
    'created_at starts_at ends_at membership_id plan_id ordered_plan_id source payment_id subscription_id',
    { internal: 'id' },
  ),
  community_roles: part('roles', USER, 'community_id role is_active'),
  operators: part('operatorRole', USER, 'created_at role'),
  invitations: [
    part(
      ...(['invitationsReceived', ADDRESS] as const),
      'created_at expires_at declined_at id community_id kind role valid_from valid_until',
      { others: 'invited_by' },
    ),
    part(
      ...(['invitationsSent', { invited_by: 'id' }] as const),
      'created_at id community_id kind role valid_from valid_until',
      { others: 'email expires_at declined_at' },
    ),
  ],
  invitation_opt_outs: part('invitationOptOuts', { mailbox_hash: 'mailbox' }, 'opted_out_at'),
  drop_signups: part('dropSignups', ADDRESS, 'created_at id drop_slot_id email phone_number'),
  checkout_reservations: part(
    ...(['orders', USER] as const),
    'created_at paid_at id community_id pricing_plan_id product_id membership_id external_id utm_source',
    { others: 'caller_id', return: 'success_url cancel_url' },
  ),
  payments: part(
    ...(['payments', USER] as const),
    'created_at id reservation_id community_id product_id pricing_plan_id status reason amount_minor currency utm_source order_id provider reference refunded_minor refunded_at dispute disputed_at',
    { internal: 'look_up_at' },
  ),
  refunds: part(
    ...(['refunds', { payment_id: 'payments' }] as const),
    'created_at id payment_id amount_minor status reason',
    { internal: 'refunded_before try_at' },
  ),
  provider_subscriptions: withheld('payment'),
  provider_events: withheld('payment'),
  charges: part(
    ...(['charges', USER] as const),
    'started_at order_id reservation_id subscription_id period_end facts attempts lost_at',
    { payment: 'payment_method reference', internal: 'look_up_at asked_at closed_at' },
  ),
  subscriptions: part(
    ...(['subscriptions', { reservation_id: 'orders' }] as const),
    'created_at id reservation_id amount_minor currency period_days is_own',
    { payment: 'payment_method' },
  ),
  messenger_accounts: part('messengerAccounts', USER, 'joined_at community_id messenger_user_id'),
  messenger_invites: part('messengerInvites', USER, 'created_at expires_at id community_id', {
    ...{ secret: 'link_hash', others: 'caller_id' },
  }),
  messenger_join_requests: part(
    ...(['messengerJoinRequests', { id: 'joinRequests' }] as const),
    'created_at messenger_user_id accepted reason',
    { others: 'invite_id' },
  ),
  community_emails: [
    part('communityEmails', USER, 'linked_at community_id email shown_id', { internal: 'id' }),
    part('linksOfYourAddress', ADDRESS, 'linked_at community_id', {
      ...{ others: 'user_id shown_id', internal: 'id' },
    }),
  ],
  mail_outbox: part(
    ...(['queuedMails', { recipient: 'email' }] as const),
    'created_at kind status attempts next_attempt_at language facts',
    { internal: 'id subject_id lease_id leased_until finished_at' },
  ),
  form_submissions: part('formSubmissions', USER, 'submitted_at', { internal: 'id' }),
  communities: part(
    'communities',
    { id: 'communities' },
    'created_at id name logo_url accent closed_at cleared_at',
  ),
  products: part('products', OWNER, 'created_at id name slug type price_minor currency description'),
  oauth_clients: part(
    ...(['clients', OWNER] as const),
    'created_at client_id type name description logo_url accent redirect_uris widget_origins scopes verified_at',
    { secret: 'secret_hash' },
  ),
  api_keys: part('apiKeys', OWNER, 'created_at revoked_at id name key_prefix key_ending permissions', {
    secret: 'key_hash',
  }),
  provisioning_grants: part('provisioningGrants', USER, 'granted_at'),
  webhooks: part(
    ...(['webhooks', OWNER] as const),
    'created_at id community_id product_id url is_active failing_since paused_at answered_at unanswered_attempts',
    { secret: 'secret' },
  ),
  audit_entries: [
    part('changesByYou', { actor_id: 'id' }, 'created_at action community_id', {
      ...{ others: 'subject_id details', internal: 'id actor_kind' },
    }),
    part('changesOfYou', { subject_id: 'id' }, 'created_at action community_id details', {
      ...{ others: 'actor_id', internal: 'id actor_kind' },
    }),
  ],
  checkout_links: withheld('secret', 'secret_hash reservation_id'),
  opt_out_links: withheld('secret', 'secret_hash mailbox_hash'),
  sign_in_budgets: withheld('limits', 'key_hash'),
  webhook_events: withheld('log', 'body'),
  webhook_attempts: withheld('log', 'request_url request_headers response_headers response_body'),
  webhook_deliveries: withheld('community'),
  pricing_plans: withheld('community'),
  drop_slots: withheld('community'),
  messenger_bots: withheld('community'),
  widget_files: withheld('service'),
  database_use: withheld('service'),
  service_names: withheld('service'),
  migration_kinds: withheld('service'),
};

export const EXPORT_PARTS = Object.entries(PERSONAL_DATA).flatMap(([table, data]) =>
  'about' in data ? [] : [data].flat().map((one: Part) => ({ table, ...one })),
);

export const NOT_INCLUDED = Object.entries(REASONS).flatMap(([name, reason]) => {
  const data = Object.entries(PERSONAL_DATA).flatMap(([table, entry]) => {
    if ('about' in entry) return entry.reason === name && entry.about.length > 0 ? [camelNameOf(table)] : [];
    return [entry].flat().flatMap(({ key, withheld: columns }: Part) => {
      const left = columns[name as Reason]?.split(' ') ?? [];
      return left.map((column) => `${key}.${camelNameOf(column)}`);
    });
  });
  return data.length === 0 ? [] : [{ reason, data }];
});
