import { describe, expect } from 'vitest';
import { deletedUserIdOf } from '../src/features/users/users.js';
import { contentsByColumn, personalColumns } from './database/personal-columns.js';
import { type StoredPerson, storeEverythingOf } from './database/store-everything-of.js';
import { START } from './service-under-test.js';
import { itWithDatabase } from './service-with-database.js';

// A process remembers when it deletes next, so each test has one of its own.
const it = itWithDatabase.extend({ isAlone: true });

const DAY = 24 * 3600_000;

/**
 * Decision about a column.
 *
 * - `deleted`: no row of the person is left.
 * - `kept`: a row stays for the books of a seller or of the operator, without a value that names the person.
 * - `expires`: the log of webhooks, which is deleted 30 days after the event. Receivers need the address in the event of the end.
 * - `blocks`: the account can't be deleted as long as there is such a row.
 * - `hash`: the hash of an address. It keeps mails away from a person who asked for that, and expires otherwise.
 * - `logged`: the audit log keeps the random id. Nothing else leads from it to the person.
 * - `impersonal`: not about a user.
 */
type Decision = 'logged' | 'deleted' | 'kept' | 'expires' | 'blocks' | 'hash' | 'impersonal';

/** A new column fails the first test until it is here, and in {@link storeEverythingOf} if it is deleted, kept or expires. */
const DECISIONS: Readonly<Record<string, Decision>> = {
  'api_keys.name': 'deleted',
  'api_keys.owner_id': 'deleted',
  'audit_entries.actor_id': 'logged',
  'audit_entries.actor_kind': 'impersonal',
  'audit_entries.details': 'logged',
  'audit_entries.subject_id': 'logged',
  'authorization_codes.user_id': 'deleted',
  'charges.facts': 'blocks',
  'charges.payment_method': 'blocks',
  'charges.user_id': 'blocks',
  'checkout_reservations.caller_id': 'kept',
  'checkout_reservations.cancel_url': 'deleted',
  'checkout_reservations.external_id': 'deleted',
  'checkout_reservations.membership_id': 'impersonal',
  'checkout_reservations.success_url': 'deleted',
  'checkout_reservations.user_id': 'deleted',
  'communities.logo_url': 'impersonal',
  'communities.name': 'impersonal',
  'community_emails.email': 'deleted',
  'community_emails.shown_id': 'deleted',
  'community_emails.user_id': 'deleted',
  'community_roles.user_id': 'deleted',
  'consents.client_name': 'impersonal',
  'consents.user_id': 'deleted',
  'drop_signups.email': 'deleted',
  'drop_signups.phone_number': 'deleted',
  'drop_slots.name': 'impersonal',
  'email_changes.new_email': 'deleted',
  'email_changes.old_email': 'deleted',
  'email_changes.user_id': 'deleted',
  'form_submissions.user_id': 'deleted',
  'invitation_opt_outs.mailbox_hash': 'hash',
  'invitations.email': 'deleted',
  'invitations.invited_by': 'deleted',
  'known_browsers.email': 'deleted',
  'mail_outbox.facts': 'deleted',
  'mail_outbox.recipient': 'deleted',
  'mail_outbox.subject_id': 'impersonal',
  'membership_periods.membership_id': 'impersonal',
  'memberships.external_order_id': 'impersonal',
  'memberships.user_id': 'kept',
  'messenger_accounts.messenger_user_id': 'deleted',
  'messenger_accounts.user_id': 'deleted',
  'messenger_bots.name': 'impersonal',
  'messenger_invites.caller_id': 'deleted',
  'messenger_invites.user_id': 'deleted',
  'messenger_join_requests.messenger_user_id': 'deleted',
  'migration_kinds.name': 'impersonal',
  'oauth_clients.logo_url': 'blocks',
  'oauth_clients.name': 'blocks',
  'oauth_clients.owner_id': 'blocks',
  'operators.user_id': 'deleted',
  'opt_out_links.mailbox_hash': 'hash',
  'payments.user_id': 'kept',
  'pricing_plans.name': 'impersonal',
  'products.name': 'blocks',
  'products.owner_id': 'blocks',
  'provisioning_grants.user_id': 'deleted',
  'recovery_codes.user_id': 'deleted',
  'second_factor_setups.secret': 'deleted',
  'second_factor_setups.user_id': 'deleted',
  'second_factors.secret': 'deleted',
  'second_factors.user_id': 'deleted',
  'second_step_attempts.user_id': 'deleted',
  'sign_in_codes.email': 'deleted',
  'subscriptions.payment_method': 'deleted',
  'token_pairs.user_id': 'deleted',
  'user_sessions.browser': 'deleted',
  'user_sessions.network': 'deleted',
  'user_sessions.user_id': 'deleted',
  'users.email': 'deleted',
  'users.email_verified_at': 'impersonal',
  'users.messenger_user_id': 'deleted',
  'users.name': 'deleted',
  'webhook_attempts.request_headers': 'impersonal',
  'webhook_attempts.request_url': 'impersonal',
  'webhook_attempts.response_body': 'expires',
  'webhook_attempts.response_headers': 'impersonal',
  'webhook_events.body': 'expires',
  'webhooks.owner_id': 'deleted',
  'webhooks.secret': 'deleted',
};

const columnsWith = (...decisions: Decision[]) =>
  Object.entries(DECISIONS).flatMap(([column, decision]) => (decisions.includes(decision) ? [column] : []));

const MARK = 'zora-zimt';

/** Returns the columns with a value that names the person. */
function columnsAbout({ id }: StoredPerson, contents: Map<string, string[]>): string[] {
  const names = new RegExp(`${MARK}|${id}|98765432[12]`, 'i');
  return [...contents].flatMap(([column, values]) => {
    const named = values.map((value) => (DECISIONS[column] === 'logged' ? value.replaceAll(id, '') : value));
    return named.some((value) => names.test(value)) ? [column] : [];
  });
}

describe('data of a deleted account', () => {
  it('includes every column that can contain personal data', async ({ db }) => {
    expect(await personalColumns(db)).toEqual(Object.keys(DECISIONS).toSorted());
  });

  it('is in no column of any table once the last mail is sent, except in the log of webhooks, which expires after 30 days', async ({
    service,
    db,
  }) => {
    const email = `${MARK}@example.com`;
    const messengerUserId = 987_654_321;
    const { id } = await service.server.operator.createUser({ email, name: MARK, messengerUserId });
    const person = { id, email, messengerUserId, mark: MARK };
    await storeEverythingOf(db, person, START);
    const isAbout = (column: string) =>
      ['deleted', 'kept', 'expires'].includes(DECISIONS[column] ?? 'deleted');
    const before = columnsAbout(person, await contentsByColumn(db));
    const expected = [...columnsWith('deleted', 'kept', 'expires'), 'users.id', 'webhooks.url'];
    expect(before.filter(isAbout).toSorted()).toEqual([...expected, 'user_sessions.id_hash'].toSorted());

    expect(await service.server.operator.deleteUser({ id })).toEqual({ id });
    const after = await contentsByColumn(db);
    // The mail about the deletion waits in the outbox until it is sent.
    expect(columnsAbout(person, after).toSorted()).toEqual([
      'mail_outbox.recipient',
      ...columnsWith('expires'),
    ]);
    await service.server.runBackgroundWork();
    const sent = columnsAbout(person, await contentsByColumn(db));
    expect(sent.toSorted()).toEqual(columnsWith('expires'));
    for (const column of columnsWith('kept')) expect(after.get(column)).toContain(deletedUserIdOf(id));

    service.clock.advance(31 * DAY);
    for (let run = 0; run < 3; run += 1) await service.server.runBackgroundWork();
    expect(columnsAbout(person, await contentsByColumn(db))).toEqual([]);
  });

  it('leaves the payments, the ended memberships and the checkouts of other buyers', async ({
    service,
    db,
  }) => {
    const email = `${MARK}@example.com`;
    const { id } = await service.server.operator.createUser({ email, name: MARK });
    await storeEverythingOf(db, { id, email, messengerUserId: 987_654_321, mark: MARK }, START);
    await service.server.operator.deleteUser({ email });
    const keeper = deletedUserIdOf(id);
    expect(await db.selectFrom('users').selectAll().where('id', '=', keeper).executeTakeFirst()).toEqual({
      ...{
        id: keeper,
        email: null,
        email_verified_at: null,
        name: null,
        messenger_user_id: null,
        language: null,
      },
      ...{ created_at: START, deleted_at: START },
    });
    expect(await db.selectFrom('payments').selectAll().where('user_id', '=', keeper).execute()).toEqual([
      expect.objectContaining({
        id: 'payment',
        amount_minor: 900,
        order_id: 'order-1',
        reservation_id: null,
      }),
    ]);
    expect(await db.selectFrom('memberships').selectAll().where('user_id', '=', keeper).execute()).toEqual([
      expect.objectContaining({
        ...{ external_order_id: 'order-77', valid_from: START, valid_until: START },
        ...{ subscription_cancelled_at: START, lapse_announced_at: START },
      }),
    ]);
    expect(await db.selectFrom('checkout_reservations').select(['id', 'caller_id']).execute()).toEqual([
      { id: 'opened', caller_id: keeper },
    ]);
  });
});
