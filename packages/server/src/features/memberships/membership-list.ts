import { emailField } from '@latchkey/contract';
import { formatTimestamp, INTEGER_MAX, MESSENGER_USER_ID_MIN } from '@latchkey/contract/constants';
import type { Schema } from '../../migrations/schema.js';
import { csvOf } from '../../platform/csv.js';
import { type ExpressionBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import {
  asPage,
  batchesOf,
  hasRows,
  type ListPage,
  PAGE_SIZE,
  type Position,
  readPage,
} from '../../platform/database/rows.js';
import { samePerson, shownPerson } from '../users/shown-person.js';
import {
  hasStatus,
  isEndingAtLatest,
  isInRange,
  type MemberStatus,
  STATUS_RANGES,
  type StatusRange,
} from './member-status.js';
import { isRenewing, membershipSql } from './membership-state.js';
import type { MembershipTarget } from './memberships.js';

export function listMemberships(db: Database, target: MembershipTarget, after: Position | undefined) {
  const order = { by: ['memberships.valid_from', 'memberships.id'], direction: 'desc', after } as const;
  return readPage(selectListed(db, target), order, asListed);
}

export async function searchMemberships(
  db: Database,
  target: MembershipTarget,
  { text, status, now }: { text: string; status?: MemberStatus | undefined; now: number },
): Promise<ListedMembership[]> {
  const holders = searchedHolders(db, target, text);
  if (holders === undefined) return [];
  const rows = await selectListed(db, target)
    .$if(status !== undefined, (query) => query.where((eb) => hasStatus(eb, status ?? 'active', now)))
    .where('memberships.user_id', 'in', holders)
    .limit(PAGE_SIZE)
    .execute();
  return rows.map(asListed);
}

function searchedHolders(db: Database, target: MembershipTarget, text: string) {
  const email = emailField.safeParse(text);
  if (email.success) return holdersOf(db, target, { email: email.data });
  const id = /^\d{1,16}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return id >= MESSENGER_USER_ID_MIN && id <= INTEGER_MAX
    ? holdersOf(db, target, { messengerUserId: id })
    : undefined;
}

/** Selects users by an identifier, service-wide or in this community, unless the community may not see it. */
function holdersOf(
  db: Database,
  target: MembershipTarget,
  by: { email: string } | { messengerUserId: number },
) {
  const [table, column, value] =
    'email' in by
      ? (['community_emails', 'email', by.email] as const)
      : (['messenger_accounts', 'messenger_user_id', by.messengerUserId] as const);
  const communityId = 'communityId' in target ? target.communityId : '';
  const here = db
    .selectFrom(table)
    .select('user_id as id')
    .where(sql.ref(column), '=', value)
    .where('community_id', '=', communityId);
  return db
    .selectFrom('users')
    .select('users.id')
    .where(column, '=', value)
    .where(({ not, exists, selectFrom }) => {
      const link = selectFrom('community_emails as link').select('link.id');
      return not(
        exists(link.where('link.community_id', '=', communityId).whereRef('link.user_id', '=', 'users.id')),
      );
    })
    .unionAll(here);
}

export async function hasRunningMember(
  db: Database,
  target: MembershipTarget,
  { email, now }: { email: string; now: number },
): Promise<boolean> {
  const holders = holdersOf(db, target, { email });
  return await hasRows(
    selectListed(db, target)
      .where('memberships.user_id', 'in', holders)
      .where((eb) => membershipSql.isNotExpired(eb, now)),
  );
}

export async function findListedMembership(db: Database, target: MembershipTarget, id: string) {
  const row = await selectListed(db, target).where('memberships.id', '=', id).executeTakeFirst();
  return row && asListed(row);
}

function selectListed(db: Database, target: MembershipTarget) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('messenger_accounts as account', samePerson('account', 'memberships'))
    .leftJoin('community_emails as link', samePerson('link', 'memberships'))
    .leftJoin('pricing_plans', 'pricing_plans.id', 'memberships.pricing_plan_id')
    .select(['memberships.id', 'memberships.user_id', 'users.email', 'users.name', 'users.messenger_user_id'])
    .select(['account.messenger_user_id as account_here', 'link.shown_id', 'link.email as named_email'])
    .select(['memberships.valid_from as validFrom', 'memberships.valid_until as validUntil'])
    .select(['memberships.external_order_id as externalOrderId', 'pricing_plans.name as planName'])
    .select(['memberships.renews_at as renewsAt', 'memberships.plan_changes_at as planChangesAt'])
    .select(['memberships.subscription_id', 'memberships.subscription_cancelled_at', 'users.deleted_at'])
    .where((eb) => isOf(eb, target));
}

function isOf(eb: ExpressionBuilder<Schema, 'memberships'>, target: MembershipTarget) {
  return 'communityId' in target
    ? eb('memberships.community_id', '=', target.communityId)
    : eb('memberships.product_id', '=', target.productId);
}

/**
 * Streams all memberships of a community or product as CSV, including ended ones, oldest start first. A site imports
 * the file into its membership directory, which needs no names or addresses, so there are none. `exported_at` is the
 * time before the first row was read: anything that a site learns about a plan later is newer.
 */
export function exportMemberships(
  db: Database,
  target: MembershipTarget,
  { now, batch = 1_000 }: { now: number; batch?: number },
): AsyncGenerator<string> {
  const memberships = db
    .selectFrom('memberships')
    .select(['id', 'community_id', 'product_id', 'pricing_plan_id', 'valid_from', 'valid_until'])
    .where((eb) => isOf(eb, target));
  return csvOf(
    batchesOf(() => memberships, { by: ['valid_from', 'id'], limit: batch }),
    {
      membership_id: ({ id }) => id,
      community_id: ({ community_id }) => community_id,
      product_id: ({ product_id }) => product_id,
      pricing_plan_id: ({ pricing_plan_id }) => pricing_plan_id,
      valid_from: ({ valid_from }) => formatTimestamp(valid_from),
      valid_until: ({ valid_until }) => (valid_until === null ? null : formatTimestamp(valid_until)),
      exported_at: () => formatTimestamp(now),
    },
  );
}

function asListed(row: Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]) {
  const { subscription_id, subscription_cancelled_at, deleted_at, ...listed } = row;
  const { user_id, messenger_user_id, account_here, shown_id, named_email, ...membership } = listed;
  const { sub: _sub, ...person } = shownPerson({ ...row, id: user_id });
  return {
    ...membership,
    ...person,
    isDeleted: deleted_at !== null,
    /** True if the membership has, or had, a subscription of the payment provider. */
    hasSubscription: subscription_id !== null,
    subscriptionCancelledAt: subscription_cancelled_at,
    isRenewing: isRenewing(row),
  };
}

export type ListedMembership = ReturnType<typeof asListed>;

type MemberPosition = Pick<ListedMembership, 'validUntil' | 'validFrom' | 'id'>;

/**
 * Lists one page of the members with a status. Active members: lifetime first, then the latest end first. Memberships
 * that end soon: the next end first. Ended memberships: the latest end first. Reads only the rows of the page.
 */
export async function listMembersByStatus(
  db: Database,
  { communityId, status, now }: { communityId: string; status: MemberStatus; now: number },
  after?: MemberPosition | undefined,
): Promise<ListPage<ListedMembership>> {
  const found: ListedMembership[] = [];
  const direction = status === 'ending' ? 'asc' : 'desc';
  for (const range of STATUS_RANGES[status]) {
    const isPassed = range === 'lifetime' && after !== undefined && after.validUntil !== null;
    const room = PAGE_SIZE + 1 - found.length;
    if (isPassed || room === 0) continue;
    const rows = await selectListed(db, { communityId })
      .where((eb) => isAfter(eb, { range, after, now }))
      .orderBy('memberships.valid_until', direction)
      .orderBy('memberships.valid_from', direction)
      .orderBy('memberships.id', direction)
      .limit(room)
      .execute();
    found.push(...rows.map(asListed));
  }
  return asPage(found, ({ validUntil, validFrom, id }) => `${validUntil ?? 'never'}~${validFrom}~${id}`);
}

export function readMemberPosition(text: string | null): MemberPosition | undefined {
  const [, until = '', from = '', id = ''] =
    /^(never|-?\d{1,15})~(-?\d{1,15})~([\w-]{1,64})$/.exec(text ?? '') ?? [];
  if (id === '') return undefined;
  return { validUntil: until === 'never' ? null : Number(until), validFrom: Number(from), id };
}

/** Replaces the range's bound on the side of the last row: SQLite uses only one of the two to search the index. */
function isAfter(
  eb: ExpressionBuilder<Schema, 'memberships'>,
  { range, after, now }: { range: StatusRange; after: MemberPosition | undefined; now: number },
) {
  const row = eb.refTuple('memberships.valid_until', 'memberships.valid_from', 'memberships.id');
  const end = after?.validUntil ?? null;
  const last = eb.tuple(end ?? 0, after?.validFrom ?? 0, after?.id ?? '');
  switch (range) {
    case 'lifetime': {
      const from = eb.refTuple('memberships.valid_from', 'memberships.id');
      if (after === undefined || after.validFrom > now) return isInRange(eb, range, now);
      const isPrevious = eb(from, '<', eb.tuple(after.validFrom, after.id));
      return eb.and([eb('memberships.valid_until', 'is', null), isPrevious]);
    }
    case 'limited':
      return end === null
        ? isInRange(eb, range, now)
        : eb.and([isInRange(eb, range, now), eb(row, '<', last)]);
    case 'ending':
      return end === null || end <= now
        ? isInRange(eb, range, now)
        : eb.and([eb(row, '>', last), isEndingAtLatest(eb, now)]);
    case 'ended':
      return end === null || end > now ? isInRange(eb, range, now) : eb(row, '<', last);
  }
}
