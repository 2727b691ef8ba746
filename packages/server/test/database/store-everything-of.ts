import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Database } from '../../src/platform/database/open-database.js';

const { community, plans, publicClient, users } = sandboxScenario;
const DAY = 24 * 3600_000;

/** User of whom every table stores something. */
export interface StoredPerson {
  readonly id: string;
  readonly email: string;
  readonly messengerUserId: number;
  /** Part of every other text about the person. */
  readonly mark: string;
}

/** Stores rows about a person in every table that can have some, as if the person had used the whole service. */
export async function storeEverythingOf(db: Database, person: StoredPerson, now: number): Promise<void> {
  await storeSignIn(db, person, now);
  await storeApps(db, person, now);
  await storePurchases(db, person, now);
  await storeCommunities(db, person, now);
  await storeMail(db, person, now);
}

async function storeSignIn(db: Database, { id, email, mark }: StoredPerson, now: number): Promise<void> {
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
    .values({ id_hash: `session-${mark}`, ...session })
    .execute();
  const code = { code_hash: 'h', tries: 0, created_at: now, expires_at, spent_at: null };
  await db
    .insertInto('sign_in_codes')
    .values({ attempt_hash: 'attempt', email, ...code })
    .execute();
  await db.insertInto('known_browsers').values({ secret_hash: 'browser', email, expires_at }).execute();
  const secret = `SECRET-${mark}`;
  await db
    .insertInto('second_factors')
    .values({ user_id: id, secret, last_step: 1, created_at: now })
    .execute();
  await db
    .insertInto('recovery_codes')
    .values({ code_hash: 'recovery', user_id: id, used_at: null })
    .execute();
  await db
    .insertInto('second_factor_setups')
    .values({ session_hash: 'setup', user_id: id, secret, expires_at })
    .execute();
  await db
    .insertInto('second_step_attempts')
    .values({ attempt_hash: 'step', user_id: id, tries: 0, expires_at, spent_at: null })
    .execute();
  await db.insertInto('form_submissions').values({ user_id: id, id: 'form', submitted_at: now }).execute();
}

async function storeApps(db: Database, { id, mark }: StoredPerson, now: number): Promise<void> {
  const { clientId: client_id } = publicClient;
  const scope = 'memberships.read';
  await db.insertInto('consents').values({ user_id: id, client_id, scope, granted_at: now }).execute();
  await db
    .insertInto('authorization_codes')
    .values({
      ...{
        id: 'code',
        code_hash: 'code',
        client_id,
        user_id: id,
        redirect_uri: 'https://shop.example/',
        scope,
      },
      ...{ code_challenge: null, expires_at: now + DAY, spent_at: null },
    })
    .execute();
  await db
    .insertInto('token_pairs')
    .values({
      ...{ id: 'pair', code_id: 'code', client_id, user_id: id, scope },
      ...{ access_token_hash: 'access', access_expires_at: now + DAY, access_revoked_at: null },
      ...{ refresh_token_hash: 'refresh', refresh_expires_at: now + DAY, refresh_spent_at: null },
    })
    .execute();
  await db
    .insertInto('api_keys')
    .values({
      ...{
        id: 'key',
        owner_id: id,
        name: `Key of ${mark}`,
        key_hash: 'key',
        key_prefix: 'svc_',
        key_ending: 'abcd',
      },
      ...{ permissions: '[]', created_at: now, revoked_at: now },
    })
    .execute();
  await db.insertInto('provisioning_grants').values({ user_id: id, granted_at: now }).execute();
}

async function storePurchases(db: Database, { id, email, mark }: StoredPerson, now: number): Promise<void> {
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
  // The person's revoked API key opened a checkout of Ben.
  const opened = { ...bought, caller_id: id, user_id: users.ben.id, external_id: 'ben', membership_id: null };
  const plain = { success_url: 'https://shop.example/', cancel_url: 'https://shop.example/' };
  await db
    .insertInto('checkout_reservations')
    .values([
      { id: 'bought', ...bought },
      { id: 'opened', ...opened, ...plain },
    ])
    .execute();
  await db
    .insertInto('checkout_links')
    .values({ secret_hash: 'link', reservation_id: 'bought', expires_at: now + DAY })
    .execute();
  await db
    .insertInto('subscriptions')
    .values({
      ...{ id: 'subscription', reservation_id: 'bought', payment_method: `card-of-${mark}` },
      ...{ amount_minor: 900, currency: 'EUR', period_days: 30, created_at: now },
    })
    .execute();
  await db
    .insertInto('payments')
    .values({
      ...{
        id: 'payment',
        reservation_id: 'bought',
        user_id: id,
        community_id: community.id,
        product_id: null,
      },
      ...{ pricing_plan_id: plans.monthly.id, status: 'succeeded', reason: null, amount_minor: 900 },
      ...{ currency: 'EUR', utm_source: 'newsletter', created_at: now, order_id: 'order-1' },
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
      ...{ external_order_id: 'order-77', subscription_id: 'subscription' },
    })
    .execute();
  const slot = await db.selectFrom('drop_slots').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('drop_signups')
    .values({ id: 'signup', drop_slot_id: slot.id, email, phone_number: `+49-${mark}`, created_at: now })
    .execute();
}

async function storeCommunities(
  db: Database,
  { id, email, messengerUserId, mark }: StoredPerson,
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
      { community_id, email, user_id: users.ben.id, linked_at: now },
      { community_id, email: `${mark}@partner.example`, user_id: id, linked_at: now },
    ])
    .execute();
  const invite = { community_id, expires_at: now + DAY, created_at: now, binds_account: 0 } as const;
  await db
    .insertInto('messenger_invites')
    .values([
      { id: 'invite', link_hash: 'invite', user_id: id, ...invite },
      { id: 'other', link_hash: 'other', user_id: users.ben.id, ...invite },
    ])
    .execute();
  const request = { accepted: 0, reason: 'not-the-buyer', created_at: now } as const;
  await db
    .insertInto('messenger_join_requests')
    .values([
      { id: 'own', invite_id: 'invite', messenger_user_id: messengerUserId, ...request },
      { id: 'foreign', invite_id: 'other', messenger_user_id: messengerUserId, ...request },
      { id: 'linked', invite_id: 'other', messenger_user_id: messengerUserId + 1, ...request },
    ])
    .execute();
  const invitation = {
    ...({ community_id, kind: 'role', role: 'ADMIN', valid_from: null, valid_until: null } as const),
    ...{ created_at: now, expires_at: now + DAY, declined_at: null },
  };
  await db
    .insertInto('invitations')
    .values([
      { id: 'received', email, invited_by: users.dana.id, ...invitation },
      { id: 'sent', email: 'friend@example.com', invited_by: id, ...invitation },
    ])
    .execute();
  // The person owned the community once.
  await db
    .insertInto('webhooks')
    .values({
      ...{ id: 'hook', owner_id: id, community_id, product_id: null, url: `https://${mark}.example/hook` },
      ...{ secret: `secret-of-${mark}`, failing_since: null, paused_at: null, created_at: now },
    })
    .execute();
  await db
    .insertInto('webhook_events')
    .values({
      ...{ id: 'event', type: 'membership.created', community_id, product_id: null },
      ...{ body: JSON.stringify({ data: { user: { sub: id, email } } }), created_at: now },
    })
    .execute();
  const hook = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', '!=', 'hook')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('webhook_deliveries')
    .values({
      ...{ id: 'delivery', event_id: 'event', webhook_id: hook.id, status: 'delivered', attempts: 1 },
      ...{ next_attempt_at: now, lease_id: null, leased_until: null, created_at: now, finished_at: now },
    })
    .execute();
  await db
    .insertInto('webhook_attempts')
    .values({
      ...{ id: 'attempt', delivery_id: 'delivery', attempted_at: now, duration_ms: 1, status_code: 200 },
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

async function storeMail(db: Database, { email, mark }: StoredPerson, now: number): Promise<void> {
  await db
    .insertInto('mail_outbox')
    .values({
      ...{ id: 'mail', kind: 'receipt', subject_id: 'payment', recipient: email, status: 'pending' },
      ...{ facts: JSON.stringify({ text: mark }), next_attempt_at: now, lease_id: null, leased_until: null },
      ...{ created_at: now, finished_at: null },
    })
    .execute();
}
