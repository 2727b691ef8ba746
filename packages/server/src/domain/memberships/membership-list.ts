import { emailField } from '@latchkey/contract';
import { INTEGER_MAX, MESSENGER_USER_ID_MIN } from '@latchkey/contract/constants';
import {
  asPage,
  formatPosition,
  type ListPage,
  PAGE_SIZE,
  type Position,
} from '../../platform/database/keyset.js';
import type { Database } from '../../platform/database/open-database.js';

/** A membership with the person who has it and the plan it came with. */
export interface ListedMembership {
  id: string;
  email: string | null;
  name: string | null;
  messengerUserId: number | null;
  validFrom: number;
  validUntil: number | null;
  planName: string | null;
  /** Whether a payment provider's subscription is or was behind it. */
  hasSubscription: boolean;
  subscriptionCancelledAt: number | null;
  externalOrderId: string | null;
}

/** Whose memberships are listed: those of a community, or the buyers of a product. */
export type MembershipSubject = { communityId: string } | { productId: string };

/** One page of memberships, the newest start first. Reads no more than it shows, however many there are. */
export async function listMemberships(
  db: Database,
  subject: MembershipSubject,
  after: Position | undefined,
): Promise<ListPage<ListedMembership>> {
  const rows = await memberships(db, subject)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('memberships.valid_from', 'memberships.id'),
          '<',
          eb.tuple(after?.at ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('memberships.valid_from', 'desc')
    .orderBy('memberships.id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  return asPage(rows.map(asListed), ({ validFrom, id }) => formatPosition({ at: validFrom, id }));
}

/** The membership of the person with this very address or messenger id; what is neither finds nobody. */
export async function searchMemberships(
  db: Database,
  subject: MembershipSubject,
  text: string,
): Promise<ListedMembership[]> {
  const term = readSearch(text);
  if (term === undefined) return [];
  const rows = await memberships(db, subject)
    .where((eb) =>
      term.kind === 'email'
        ? eb('users.email', '=', term.email)
        : eb('memberships.user_id', 'in', holdersOf(db, subject, term.messengerUserId)),
    )
    .execute();
  return rows.map(asListed);
}

/** A membership of the community or product. */
export async function findMembership(
  db: Database,
  subject: MembershipSubject,
  id: string,
): Promise<ListedMembership | undefined> {
  const row = await memberships(db, subject).where('memberships.id', '=', id).executeTakeFirst();
  return row && asListed(row);
}

type SearchTerm = { kind: 'email'; email: string } | { kind: 'messenger'; messengerUserId: number };

function readSearch(text: string): SearchTerm | undefined {
  const email = emailField.safeParse(text);
  if (email.success) return { kind: 'email', email: email.data };
  const id = /^\d{1,16}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return id >= MESSENGER_USER_ID_MIN && id <= INTEGER_MAX
    ? { kind: 'messenger', messengerUserId: id }
    : undefined;
}

/** Whose a messenger account is: everywhere, or in this community. */
function holdersOf(db: Database, subject: MembershipSubject, messengerUserId: number) {
  return db
    .selectFrom('users')
    .select('id')
    .where('messenger_user_id', '=', messengerUserId)
    .unionAll(
      db
        .selectFrom('messenger_accounts')
        .select('user_id as id')
        .where('messenger_user_id', '=', messengerUserId)
        .where('community_id', '=', 'communityId' in subject ? subject.communityId : ''),
    );
}

function memberships(db: Database, subject: MembershipSubject) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('messenger_accounts as account', (join) =>
      join
        .onRef('account.community_id', '=', 'memberships.community_id')
        .onRef('account.user_id', '=', 'memberships.user_id'),
    )
    .leftJoin('pricing_plans', 'pricing_plans.id', 'memberships.pricing_plan_id')
    .select(['memberships.id', 'users.email', 'users.name', 'users.messenger_user_id'])
    .select('account.messenger_user_id as account_here')
    .select(['memberships.valid_from', 'memberships.valid_until', 'memberships.external_order_id'])
    .select(['memberships.subscription_id', 'memberships.subscription_cancelled_at'])
    .select('pricing_plans.name as plan_name')
    .where((eb) =>
      'communityId' in subject
        ? eb('memberships.community_id', '=', subject.communityId)
        : eb('memberships.product_id', '=', subject.productId),
    );
}

type MembershipListRow = Awaited<ReturnType<ReturnType<typeof memberships>['execute']>>[number];

function asListed(row: MembershipListRow): ListedMembership {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    messengerUserId: row.messenger_user_id ?? row.account_here,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    planName: row.plan_name,
    hasSubscription: row.subscription_id !== null,
    subscriptionCancelledAt: row.subscription_cancelled_at,
    externalOrderId: row.external_order_id,
  };
}
