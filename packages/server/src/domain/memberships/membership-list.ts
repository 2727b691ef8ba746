import { emailField } from '@latchkey/contract';
import { INTEGER_MAX, MESSENGER_USER_ID_MIN } from '@latchkey/contract/constants';
import {
  asPage,
  formatPosition,
  type ListPage,
  PAGE_SIZE,
  type Position,
} from '../../platform/database/keyset.js';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../schema/schema.js';
import { hasStatus, type MemberStatus } from './member-status.js';
import { isRenewing, membershipSql } from './membership-state.js';
import type { MembershipTarget } from './memberships.js';

/** Membership with its member and its plan. */
export interface ListedMembership {
  id: string;
  email: string | null;
  name: string | null;
  messengerUserId: number | null;
  /** True if the member deleted the account. */
  isDeleted: boolean;
  validFrom: number;
  validUntil: number | null;
  planName: string | null;
  /** True if the membership has, or had, a subscription of the payment provider. */
  hasSubscription: boolean;
  subscriptionCancelledAt: number | null;
  /** True if a subscription renews it. */
  isRenewing: boolean;
  externalOrderId: string | null;
}

/** Lists one page of memberships, newest start first. Reads only the rows of that page. */
export async function listMemberships(
  db: Database,
  target: MembershipTarget,
  after: Position | undefined,
): Promise<ListPage<ListedMembership>> {
  const rows = await selectListed(db, target)
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

/** Search for a member. */
export interface MemberSearch {
  /** Complete email address or messenger id. */
  text: string;
  /**
   * Status of the memberships to find.
   *
   * @default any status
   */
  status?: MemberStatus | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Finds memberships by the exact email address or messenger id of the member. */
export async function searchMemberships(
  db: Database,
  target: MembershipTarget,
  { text, status, now }: MemberSearch,
): Promise<ListedMembership[]> {
  const term = readSearch(text);
  if (term === undefined) return [];
  const rows = await selectListed(db, target)
    .$if(status !== undefined, (query) => query.where((eb) => hasStatus(eb, status ?? 'active', now)))
    .where((eb) =>
      eb(
        'memberships.user_id',
        'in',
        term.kind === 'email'
          ? holdersOfEmail(db, target, term.email)
          : holdersOfAccount(db, target, term.messengerUserId),
      ),
    )
    .limit(PAGE_SIZE)
    .execute();
  return rows.map(asListed);
}

/** True if the list contains an active or upcoming membership with this email address. */
export async function hasRunningMember(
  db: Database,
  target: MembershipTarget,
  { email, now }: { email: string; now: number },
): Promise<boolean> {
  const row = await selectListed(db, target)
    .where('memberships.user_id', 'in', holdersOfEmail(db, target, email))
    .where((eb) => membershipSql.isNotExpired(eb, now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a membership of the community or product. */
export async function findListedMembership(
  db: Database,
  target: MembershipTarget,
  id: string,
): Promise<ListedMembership | undefined> {
  const row = await selectListed(db, target).where('memberships.id', '=', id).executeTakeFirst();
  return row && asListed(row);
}

/** Part of a list in the order of the ends. */
interface EndOrder {
  where: (eb: ExpressionBuilder<Schema, 'memberships'>) => ExpressionWrapper<Schema, 'memberships', SqlBool>;
  direction: 'asc' | 'desc';
  limit: number;
}

/** Reads memberships of a community in the order of their ends. */
export async function readInEndOrder(
  db: Database,
  communityId: string,
  { where, direction, limit }: EndOrder,
): Promise<ListedMembership[]> {
  const rows = await selectListed(db, { communityId })
    .where((eb) => where(eb))
    .orderBy('memberships.valid_until', direction)
    .orderBy('memberships.valid_from', direction)
    .orderBy('memberships.id', direction)
    .limit(limit)
    .execute();
  return rows.map(asListed);
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

/** Selects the users of an email address, service-wide or in this community. */
function holdersOfEmail(db: Database, target: MembershipTarget, email: string) {
  return db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .unionAll(
      db
        .selectFrom('community_emails')
        .select('user_id as id')
        .where('email', '=', email)
        .where('community_id', '=', 'communityId' in target ? target.communityId : ''),
    );
}

/** Selects the users of a messenger account, service-wide or in this community. */
function holdersOfAccount(db: Database, target: MembershipTarget, messengerUserId: number) {
  return db
    .selectFrom('users')
    .select('id')
    .where('messenger_user_id', '=', messengerUserId)
    .unionAll(
      db
        .selectFrom('messenger_accounts')
        .select('user_id as id')
        .where('messenger_user_id', '=', messengerUserId)
        .where('community_id', '=', 'communityId' in target ? target.communityId : ''),
    );
}

function selectListed(db: Database, target: MembershipTarget) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('messenger_accounts as account', (join) =>
      join
        .onRef('account.community_id', '=', 'memberships.community_id')
        .onRef('account.user_id', '=', 'memberships.user_id'),
    )
    .leftJoin('community_emails as address', (join) =>
      join
        .onRef('address.community_id', '=', 'memberships.community_id')
        .onRef('address.user_id', '=', 'memberships.user_id'),
    )
    .leftJoin('pricing_plans', 'pricing_plans.id', 'memberships.pricing_plan_id')
    .select(['memberships.id', 'users.email', 'users.name', 'users.messenger_user_id'])
    .select(['account.messenger_user_id as account_here', 'address.email as address_here'])
    .select(['memberships.valid_from', 'memberships.valid_until', 'memberships.external_order_id'])
    .select(['memberships.subscription_id', 'memberships.subscription_cancelled_at'])
    .select('pricing_plans.name as plan_name')
    .select('users.deleted_at')
    .where((eb) =>
      'communityId' in target
        ? eb('memberships.community_id', '=', target.communityId)
        : eb('memberships.product_id', '=', target.productId),
    );
}

type MembershipListRow = Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number];

function asListed(row: MembershipListRow): ListedMembership {
  return {
    id: row.id,
    email: row.email ?? row.address_here,
    name: row.name,
    messengerUserId: row.messenger_user_id ?? row.account_here,
    isDeleted: row.deleted_at !== null,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    planName: row.plan_name,
    hasSubscription: row.subscription_id !== null,
    subscriptionCancelledAt: row.subscription_cancelled_at,
    isRenewing: isRenewing(row),
    externalOrderId: row.external_order_id,
  };
}
