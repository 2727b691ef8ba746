import type {
  MembershipProductType,
  SellerProductType,
  WebhookEventType,
} from '@latchkey/contract/constants';
import type { Generated } from './kysely/kysely.js';

/**
 * The tables, as Kysely sees them. Times are integer milliseconds since the epoch, ids are lower-case UUIDs, yes and
 * no are 1 and 0, lists are JSON text. `*_hash` is SHA-256 in hex; what it was made from is nowhere in the database.
 */
export interface Schema {
  users: UserTable;
  communities: CommunityTable;
  community_roles: CommunityRoleTable;
  memberships: MembershipTable;
  products: ProductTable;
  oauth_clients: OAuthClientTable;
  authorization_codes: AuthorizationCodeTable;
  token_pairs: TokenPairTable;
  consents: ConsentTable;
  user_sessions: UserSessionTable;
  sign_in_addresses: SignInAddressTable;
  sign_in_codes: SignInCodeTable;
  pricing_plans: PricingPlanTable;
  api_keys: ApiKeyTable;
  provisioning_grants: ProvisioningGrantTable;
  checkout_reservations: CheckoutReservationTable;
  checkout_links: CheckoutLinkTable;
  subscriptions: SubscriptionTable;
  payments: PaymentTable;
  drop_slots: DropSlotTable;
  drop_signups: DropSignupTable;
  messenger_bots: MessengerBotTable;
  messenger_invites: MessengerInviteTable;
  messenger_join_requests: MessengerJoinRequestTable;
  webhooks: WebhookTable;
  webhook_events: WebhookEventTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: WebhookAttemptTable;
  widget_files: WidgetFileTable;
  database_use: DatabaseUseTable;
  messenger_accounts: MessengerAccountTable;
  form_submissions: FormSubmissionTable;
}

interface UserTable {
  id: string;
  /** Trimmed, lower case, unique; null for a user with only a messenger account. */
  email: string | null;
  name: string | null;
  messenger_user_id: number | null;
  created_at: number;
}

interface CommunityTable {
  id: string;
  name: string;
  created_at: number;
}

interface CommunityRoleTable {
  community_id: string;
  user_id: string;
  role: 'OWNER' | 'ADMIN';
  is_active: 0 | 1;
}

interface MembershipTable {
  id: string;
  user_id: string;
  product_type: MembershipProductType;
  /** One row for a user in a community, and one for a user and a product. */
  community_id: string | null;
  product_id: string | null;
  valid_from: number;
  /** Null for lifetime access. */
  valid_until: number | null;
  /** The plan that it was bought or provisioned with. */
  pricing_plan_id: Generated<string | null>;
  /** Order id of the newest external provisioning; only that one is recognised as a repeat. */
  external_order_id: Generated<string | null>;
  /** The subscription that renews it; null when nothing does. */
  subscription_id: Generated<string | null>;
  /** Set when the subscription was cancelled: the paid time stays, nothing renews. */
  subscription_cancelled_at: Generated<number | null>;
  /** Time at which the event of the expiry was recorded; null again with every new window. */
  lapse_announced_at: Generated<number | null>;
}

interface ProductTable {
  id: string;
  owner_id: string;
  name: string;
  slug: string;
  type: SellerProductType | null;
  created_at: number;
  /** In the currency's minor unit; null when it is not for sale. */
  price_minor: Generated<number | null>;
  /** ISO 4217, upper case; null when it is not for sale. */
  currency: Generated<string | null>;
}

interface OAuthClientTable {
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
}

interface AuthorizationCodeTable {
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
}

/** Both tokens of a pair are one row, so that a refresh is one update and one insert. */
interface TokenPairTable {
  id: string;
  /** The code that this pair, or the first one before it, was issued for. */
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
  /** When the refresh token was used or revoked. */
  refresh_spent_at: number | null;
}

/** One row for each scope that a user has allowed a client. */
interface ConsentTable {
  user_id: string;
  client_id: string;
  scope: string;
  granted_at: number;
}

interface UserSessionTable {
  id_hash: string;
  user_id: string;
  created_at: number;
  expires_at: number;
}

/** One row for each address that ever asked for a code: who counts an address's codes holds this row. */
interface SignInAddressTable {
  email: string;
  last_asked_at: number;
}

interface SignInCodeTable {
  /** Hash of the attempt's secret, which the browser keeps. */
  attempt_hash: string;
  email: string;
  code_hash: string;
  tries: number;
  created_at: number;
  expires_at: number;
  spent_at: number | null;
}

interface PricingPlanTable {
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
}

interface ApiKeyTable {
  id: string;
  owner_id: string;
  name: string;
  key_hash: string;
  /** The last four characters, for people to tell their keys apart. */
  key_ending: string;
  permissions: string;
  created_at: number;
  revoked_at: number | null;
}

/** Users whom an operator lets choose MEMBERSHIP_PROVISION. */
interface ProvisioningGrantTable {
  user_id: string;
  granted_at: number;
}

interface CheckoutReservationTable {
  id: string;
  /** The owner of the API key that opened it; null when the buyer did, on a page of the service. */
  caller_id: string | null;
  external_id: string | null;
  /** Plan and community, or product, that is bought. */
  community_id: string | null;
  pricing_plan_id: string | null;
  product_id: string | null;
  /** The buyer. */
  user_id: string;
  success_url: string;
  cancel_url: string;
  utm_source: string | null;
  /** When it was opened last. */
  created_at: number;
  /** When it turned into a membership. */
  paid_at: number | null;
  membership_id: string | null;
}

/** An address at which a reservation can be paid. Opening the reservation again adds one; the earlier ones stay good. */
interface CheckoutLinkTable {
  /** Hash of the secret in the address. */
  secret_hash: string;
  reservation_id: string;
  /** From then on nothing can be paid there. */
  expires_at: number;
}

/** Price that a buyer agreed to pay for every period. Later changes of the plan do not affect it. */
interface SubscriptionTable {
  id: string;
  /** The checkout that started it. */
  reservation_id: string;
  /** Payment method to charge again; an opaque id of the payment provider. */
  payment_method: string;
  amount_minor: number;
  currency: string;
  period_days: number;
  created_at: number;
}

interface PaymentTable {
  id: string;
  /** Null for a renewal. */
  reservation_id: string | null;
  user_id: string;
  community_id: string | null;
  product_id: string | null;
  pricing_plan_id: string | null;
  status: 'succeeded' | 'failed';
  /** Why it failed. */
  reason: string | null;
  amount_minor: number;
  currency: string;
  utm_source: string | null;
  created_at: number;
}

interface DropSlotTable {
  id: string;
  community_id: string;
  name: string;
  /** Null when unlimited. */
  slots: number | null;
  slots_used: Generated<number>;
  starts_at: number;
  ends_at: number | null;
  created_at: number;
}

interface DropSignupTable {
  id: string;
  drop_slot_id: string;
  email: string;
  /** E.164. */
  phone_number: string | null;
  created_at: number;
}

interface MessengerBotTable {
  community_id: string;
  name: string;
  created_at: number;
}

interface MessengerInviteTable {
  id: string;
  link_hash: string;
  community_id: string;
  /** The buyer, whose messenger account alone may join. */
  user_id: string;
  /** 1 if the first account that joins becomes the account of a buyer without one. */
  binds_account: 0 | 1;
  expires_at: number;
  created_at: number;
}

interface MessengerJoinRequestTable {
  id: string;
  invite_id: string;
  messenger_user_id: number;
  accepted: 0 | 1;
  /** Why it was refused. */
  reason: string | null;
  created_at: number;
}

interface WebhookTable {
  id: string;
  owner_id: string;
  /** A webhook is for a community or for a product. */
  community_id: string | null;
  product_id: string | null;
  url: string;
  /** 64 hex characters; readable, because every delivery is signed with it. */
  secret: string;
  is_active: Generated<0 | 1>;
  failing_since: number | null;
  /** Set when it failed for so long that nothing is tried any more. */
  paused_at: number | null;
  created_at: number;
}

interface WebhookEventTable {
  id: string;
  type: WebhookEventType;
  community_id: string | null;
  product_id: string | null;
  /** The JSON that is sent, byte for byte. */
  body: string;
  created_at: number;
}

interface WebhookDeliveryTable {
  id: string;
  event_id: string;
  webhook_id: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: Generated<number>;
  next_attempt_at: number;
  /** Lease of the worker that sends the delivery, and its end. */
  lease_id: string | null;
  leased_until: number | null;
  created_at: number;
  finished_at: number | null;
}

interface WebhookAttemptTable {
  id: string;
  delivery_id: string;
  attempted_at: number;
  duration_ms: number;
  /** Null when there was no answer. */
  status_code: number | null;
  failure: string | null;
}

/** A form that was taken. Sent again, by a reload or twice by a hasty hand, it does nothing. */
interface FormSubmissionTable {
  user_id: string;
  /** Chosen when the form was shown. */
  id: string;
  submitted_at: number;
}

interface WidgetFileTable {
  release: string;
  file: string;
  content: string;
  released_at: number;
}

/** One row, from the first start on. */
interface DatabaseUseTable {
  id: 1;
  /** Purpose that the first server on this database noted; see the option `databasePurpose`. */
  use: string;
  since: number;
}

/** The messenger account that a buyer without one of their own joined a community with. It is theirs there, and nowhere else. */
interface MessengerAccountTable {
  community_id: string;
  user_id: string;
  messenger_user_id: number;
  joined_at: number;
}
