import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Database } from '../../src/platform/database/open-database.js';
import { hashSecret } from '../../src/platform/secrets.js';

const { community, plans, publicClient, users } = sandboxScenario;
const DAY = 24 * 3600_000;

/** User of whom every table stores something. */
export interface StoredPerson {
  readonly id: string;
  readonly email: string;
  readonly messengerUserId: number;
  /** Part of every other text about the person. */
  readonly mark: string;
  /** End of the ids and hashes of all rows, which makes them unique. Default: empty. */
  readonly rows?: string;
  /** Another user, who has rows that the person must not see. Default: Ben. */
  readonly other?: string;
  /** User that a partner linked the person's address to. Default: Ben. */
  readonly named?: string;
}

/** Stores rows about a person in every table that can have some, as if the person had used the whole service. */
export async function storeEverythingOf(db: Database, person: StoredPerson, now: number): Promise<void> {
  await storeSignIn(db, person, now);
  await storeApps(db, person, now);
  await storePurchases(db, person, now);
  await storeCommunities(db, person, now);
  await storeMail(db, person, now);
  await storeLog(db, person, now);
}

async function storeSignIn(
  db: Database,
  { id, email, mark, rows = '' }: StoredPerson,
  now: number,
): Promise<void> {
  await db.insertInto('operators').values({ user_id: id, role: 'VIEWER', created_at: now }).execute();
  const expires_at = now + DAY;
  const session = {
    user_id: id,
    created_at: now,
    expires_at,
    browser: mark,
    network: mark,
    last_used_at: now,
  };
  await db
    .insertInto('user_sessions')
    .values({ id_hash: `hash-of-session-${mark}`, ...session })
    .execute();
  const code = {
    code_hash: `hash-of-sign-in-code${rows}`,
    tries: 0,
    created_at: now,
    expires_at,
    spent_at: null,
  };
  await db
    .insertInto('sign_in_codes')
    .values({ attempt_hash: `hash-of-attempt${rows}`, email, ...code })
    .execute();
  const moved = { old_email: email, new_email: `new-${mark}@example.com`, changed_at: now, expires_at };
  const secrets = { attempt_hash: `hash-of-change${rows}`, undo_hash: `hash-of-undo${rows}` };
  await db
    .insertInto('email_changes')
    .values({ id: randomUUID(), user_id: id, ...moved, ...secrets })
    .execute();
  await db
    .insertInto('known_browsers')
    .values({ secret_hash: `hash-of-browser${rows}`, email, expires_at })
    .execute();
  const secret = `SECRET-${mark}`;
  await db
    .insertInto('second_factors')
    .values({ user_id: id, secret, last_step: 1, created_at: now })
    .execute();
  await db
    .insertInto('recovery_codes')
    .values({ code_hash: `hash-of-recovery${rows}`, user_id: id, used_at: null })
    .execute();
  await db
    .insertInto('second_factor_setups')
    .values({ session_hash: `hash-of-setup${rows}`, user_id: id, secret, expires_at })
    .execute();
  await db
    .insertInto('second_step_attempts')
    .values({ attempt_hash: `hash-of-step${rows}`, user_id: id, tries: 0, expires_at, spent_at: null })
    .execute();
  await db
    .insertInto('form_submissions')
    .values({ user_id: id, id: `form${rows}`, submitted_at: now })
    .execute();
}

async function storeLog(
  db: Database,
  { id, other = users.ben.id }: StoredPerson,
  now: number,
): Promise<void> {
  const entry = { created_at: now, actor_kind: 'user', community_id: community.id, details: '{}' } as const;
  await db
    .insertInto('audit_entries')
    .values([
      { id: randomUUID(), ...entry, action: 'role.assign', actor_id: id, subject_id: other },
      { id: randomUUID(), ...entry, action: 'role.assign', actor_id: other, subject_id: id },
    ])
    .execute();
}

async function storeApps(db: Database, { id, mark, rows = '' }: StoredPerson, now: number): Promise<void> {
  const { clientId: client_id } = publicClient;
  const scope = 'memberships.read';
  const place = { place_hash: `hash-of-place${rows}`, redirect_uri: 'https://app.example/', receiver: null };
  const shown = { client_name: 'App', look_hash: `hash-of-look${rows}`, is_verified: 0 as const };
  await db
    .insertInto('consents')
    .values({ user_id: id, client_id, scope, granted_at: now, ...place, ...shown })
    .execute();
  await db
    .insertInto('authorization_codes')
    .values({
      ...{
        id: `code${rows}`,
        code_hash: `hash-of-code${rows}`,
        client_id,
        user_id: id,
        redirect_uri: 'https://app.example/',
        scope,
      },
      ...{ code_challenge: `challenge${rows}`, expires_at: now + DAY, spent_at: null },
    })
    .execute();
  await db
    .insertInto('token_pairs')
    .values({
      ...{ id: `pair${rows}`, code_id: `code${rows}`, client_id, user_id: id, scope },
      ...{
        access_token_hash: `hash-of-access${rows}`,
        access_expires_at: now + DAY,
        access_revoked_at: null,
      },
      ...{
        refresh_token_hash: `hash-of-refresh${rows}`,
        refresh_expires_at: now + DAY,
        refresh_spent_at: null,
      },
    })
    .execute();
  await db
    .insertInto('api_keys')
    .values({
      ...{
        id: `key${rows}`,
        owner_id: id,
        name: `Key of ${mark}`,
        key_hash: `hash-of-key${rows}`,
        key_prefix: 'svc_',
        key_ending: 'abcd',
      },
      ...{ permissions: '[]', created_at: now, revoked_at: now },
    })
    .execute();
  await db.insertInto('provisioning_grants').values({ user_id: id, granted_at: now }).execute();
}

async function storePurchases(
  db: Database,
  { id, email, mark, rows = '', other = users.ben.id }: StoredPerson,
  now: number,
): Promise<void> {
  const membershipId = randomUUID();
  const bought = {
    caller_id: users.dana.id,
    external_id: `buyer-${mark}`,
    community_id: community.id,
    pricing_plan_id: plans.monthly.id,
    product_id: null,
    user_id: id,
    success_url: `https://shop.example/?buyer=${mark}`,
    cancel_url: `https://shop.example/?cancelled=${mark}`,
    utm_source: 'newsletter',
    created_at: now,
    paid_at: now,
    membership_id: membershipId,
  };
  // The person's revoked API key opened a checkout of another user.
  const opened = {
    ...bought,
    caller_id: id,
    user_id: other,
    external_id: `other${rows}`,
    membership_id: null,
  };
  const plain = { success_url: 'https://shop.example/', cancel_url: 'https://shop.example/' };
  await db
    .insertInto('checkout_reservations')
    .values([
      { id: `bought${rows}`, ...bought },
      { id: `opened${rows}`, ...opened, ...plain },
    ])
    .execute();
  await db
    .insertInto('checkout_links')
    .values({ secret_hash: `hash-of-link${rows}`, reservation_id: `bought${rows}`, expires_at: now + DAY })
    .execute();
  await db
    .insertInto('subscriptions')
    .values({
      ...{ id: `subscription${rows}`, reservation_id: `bought${rows}`, payment_method: `card-of-${mark}` },
      ...{ amount_minor: 900, currency: 'EUR', period_days: 30, is_own: 1, created_at: now },
    })
    .execute();
  await db
    .insertInto('payments')
    .values({
      ...{
        id: `payment${rows}`,
        reservation_id: `bought${rows}`,
        user_id: id,
        community_id: community.id,
        product_id: null,
      },
      ...{ pricing_plan_id: plans.monthly.id, status: 'succeeded', reason: null, amount_minor: 900 },
      ...{ currency: 'EUR', utm_source: 'newsletter', created_at: now, order_id: 'order-1' },
      ...{ provider: 'example', reference: `reference${rows}` },
    })
    .execute();
  await db
    .insertInto('refunds')
    .values({
      ...{ id: `refund${rows}`, payment_id: `payment${rows}`, amount_minor: 100, refunded_before: 0 },
      ...{ status: 'refunded', reason: null, created_at: now, try_at: now },
    })
    .execute();
  await db
    .insertInto('memberships')
    .values({
      ...{
        id: membershipId,
        user_id: id,
        product_type: 'community',
        community_id: community.id,
        product_id: null,
      },
      ...{ valid_from: now, valid_until: now + 30 * DAY, pricing_plan_id: plans.monthly.id },
      ...{ external_order_id: 'order-77', subscription_id: `subscription${rows}` },
    })
    .execute();
  await db
    .insertInto('membership_periods')
    .values({
      ...{ id: `period${rows}`, membership_id: membershipId, plan_id: plans.monthly.id, source: 'payment' },
      ...{ starts_at: now, ends_at: now + 30 * DAY, created_at: now },
      ...{ payment_id: `payment${rows}`, subscription_id: `subscription${rows}` },
    })
    .execute();
  const slot = await db.selectFrom('drop_slots').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('drop_signups')
    .values({
      id: `signup${rows}`,
      drop_slot_id: slot.id,
      email,
      phone_number: `+49-${mark}`,
      created_at: now,
    })
    .execute();
}

async function storeCommunities(
  db: Database,
  { id, email, messengerUserId, mark, rows = '', other = users.ben.id, named = users.ben.id }: StoredPerson,
  now: number,
): Promise<void> {
  const community_id = community.id;
  await db
    .insertInto('community_roles')
    .values({ community_id, user_id: id, role: 'ADMIN', is_active: 1 })
    .execute();
  await db
    .insertInto('messenger_accounts')
    .values({ community_id, user_id: id, messenger_user_id: messengerUserId + 1, joined_at: now })
    .execute();
  // A partner named the person's address for another user, and an address of its own for the person.
  await db
    .insertInto('community_emails')
    .values([
      { id: `named${rows}`, community_id, email, user_id: named, shown_id: named, linked_at: now },
      {
        ...{ id: `link${rows}`, community_id, email: `${mark}@partner.example`, user_id: id },
        ...{ shown_id: id, linked_at: now },
      },
    ])
    .execute();
  const invite = { community_id, expires_at: now + DAY, created_at: now, caller_id: null } as const;
  await db
    .insertInto('messenger_invites')
    .values([
      { id: `invite${rows}`, link_hash: `hash-of-invite${rows}`, user_id: id, ...invite },
      { id: `other${rows}`, link_hash: `hash-of-other${rows}`, user_id: other, ...invite, caller_id: id },
    ])
    .execute();
  const request = { accepted: 0, reason: 'not-the-buyer', created_at: now } as const;
  await db
    .insertInto('messenger_join_requests')
    .values([
      { id: `own${rows}`, invite_id: `invite${rows}`, messenger_user_id: messengerUserId, ...request },
      { id: `foreign${rows}`, invite_id: `other${rows}`, messenger_user_id: messengerUserId, ...request },
      { id: `linked${rows}`, invite_id: `other${rows}`, messenger_user_id: messengerUserId + 1, ...request },
    ])
    .execute();
  const invitation = {
    ...({ community_id, kind: 'role', role: 'ADMIN', valid_from: null, valid_until: null } as const),
    ...{ created_at: now, expires_at: now + DAY, declined_at: null },
  };
  await db
    .insertInto('invitations')
    .values([
      { id: `received${rows}`, email, invited_by: users.dana.id, ...invitation },
      { id: `sent${rows}`, email: `friend${rows}@example.com`, invited_by: id, ...invitation },
    ])
    .execute();
  // The person owned the community once.
  await db
    .insertInto('webhooks')
    .values({
      ...{
        id: `hook${rows}`,
        owner_id: id,
        community_id,
        product_id: null,
        url: `https://${mark}.example/hook`,
      },
      ...{ secret: `secret-of-${mark}`, failing_since: null, paused_at: null, created_at: now },
    })
    .execute();
  await db
    .insertInto('webhook_events')
    .values({
      ...{ id: `event${rows}`, type: 'membership.created', community_id, product_id: null },
      ...{ body: JSON.stringify({ data: { user: { sub: id, email } } }), created_at: now },
    })
    .execute();
  const hook = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', 'not like', 'hook%')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('webhook_deliveries')
    .values({
      ...{
        id: `delivery${rows}`,
        event_id: `event${rows}`,
        webhook_id: hook.id,
        status: 'delivered',
        attempts: 1,
      },
      ...{ next_attempt_at: now, lease_id: null, leased_until: null, created_at: now, finished_at: now },
    })
    .execute();
  await db
    .insertInto('webhook_attempts')
    .values({
      ...{
        id: `attempt${rows}`,
        delivery_id: `delivery${rows}`,
        attempted_at: now,
        duration_ms: 1,
        status_code: 200,
      },
      ...{
        failure: null,
        request_url: 'https://shop.example/',
        request_headers: '[]',
        response_headers: '[]',
      },
      response_body: `Thanks, ${mark}`,
    })
    .execute();
}

async function storeMail(db: Database, { email, mark, rows = '' }: StoredPerson, now: number): Promise<void> {
  await db
    .insertInto('mail_outbox')
    .values({
      ...{
        id: `mail${rows}`,
        kind: 'receipt',
        subject_id: `payment${rows}`,
        recipient: email,
        language: 'de',
        status: 'pending',
      },
      ...{ facts: JSON.stringify({ text: mark }), next_attempt_at: now, lease_id: null, leased_until: null },
      ...{ created_at: now, finished_at: null },
    })
    .execute();
}

/** Stores what a person owns, which keeps the account from being deleted. The other user is a member of the person's community. */
export async function storePropertyOf(
  db: Database,
  { id, email, mark, rows = '', other = users.ben.id }: StoredPerson,
  now: number,
): Promise<void> {
  const community_id = randomUUID();
  await db
    .insertInto('communities')
    .values({ id: community_id, name: `Club${rows}`, created_at: now })
    .execute();
  await db
    .insertInto('community_roles')
    .values({ community_id, user_id: id, role: 'OWNER', is_active: 1 })
    .execute();
  const member = { id: randomUUID(), user_id: other, product_type: 'community', community_id } as const;
  await db
    .insertInto('memberships')
    .values({ ...member, product_id: null, valid_from: now, valid_until: null })
    .execute();
  await db
    .insertInto('products')
    .values({ id: randomUUID(), owner_id: id, name: mark, slug: 'beans', type: null, created_at: now })
    .execute();
  await db
    .insertInto('oauth_clients')
    .values({
      ...{ client_id: `client${rows}`, owner_id: id, name: `App of ${mark}`, type: 'confidential' },
      ...{ secret_hash: `hash-of-client-secret${rows}`, description: null, logo_url: null, scopes: '[]' },
      ...{ redirect_uris: `["https://${mark}.example/"]`, widget_origins: '[]', created_at: now },
    })
    .execute();
  await db
    .insertInto('charges')
    .values({
      ...{ order_id: `charge${rows}`, reservation_id: `bought${rows}`, user_id: id, subscription_id: null },
      ...{ period_end: null, payment_method: `card-of-${mark}`, facts: `{"openedAt":${now}}`, attempts: 1 },
      ...{ started_at: now, lost_at: null, look_up_at: now },
    })
    .execute();
  const mailbox_hash = hashSecret(email);
  await db.insertInto('invitation_opt_outs').values({ mailbox_hash, opted_out_at: now }).execute();
  const secret_hash = `hash-of-opt-out${rows}`;
  await db.insertInto('opt_out_links').values({ secret_hash, mailbox_hash, expires_at: now }).execute();
  await db
    .insertInto('sign_in_budgets')
    .values({ key_hash: `hash-of-budget${rows}`, used: 1, ends_at: now })
    .execute();
}
