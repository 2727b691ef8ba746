import { formatTimestamp } from '@latchkey/contract/constants';
import { csvOf } from '../../platform/csv.js';
import type { InferResult } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { batchesOf, countRows, PAGE_SIZE, type Position, readPage } from '../../platform/database/rows.js';
import { countMembersWith } from '../memberships/member-status.js';
import type { MembershipTarget } from '../memberships/memberships.js';
import { samePerson, shownPerson } from '../users/shown-person.js';

const PAYMENT_COLUMNS = [
  'payments.id',
  'pricing_plans.name as planName',
  'payments.status',
  'payments.reason',
  'payments.amount_minor as amountMinor',
  'payments.currency',
  'payments.created_at as createdAt',
  'payments.refunded_minor as refundedMinor',
  'payments.dispute',
] as const;

const BY_TIME = { by: ['payments.created_at', 'payments.id'], direction: 'desc' } as const;

/** Newest first, failed ones too. `reason` says why a payment failed; `no_access`, that it gave none. */
export async function listSales(db: Database, subject: MembershipTarget, after: Position | undefined) {
  return await readPage(salesOf(db, subject), { ...BY_TIME, after }, asSale);
}

export type Sale = ReturnType<typeof asSale>;

function salesOf(db: Database, subject: MembershipTarget) {
  return db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'payments.pricing_plan_id')
    .leftJoin('community_emails as link', samePerson('link', 'payments'))
    .select([...PAYMENT_COLUMNS, 'payments.utm_source as utmSource', 'payments.user_id', 'users.deleted_at'])
    .select(['users.email', 'users.name', 'users.messenger_user_id', 'link.shown_id'])
    .select('link.email as named_email')
    .select(['payments.provider', 'payments.reference', 'payments.order_id as orderId'])
    .select(['payments.pricing_plan_id as planId', 'payments.product_id as productId'])
    .where((eb) =>
      'communityId' in subject
        ? eb('payments.community_id', '=', subject.communityId)
        : eb('payments.product_id', '=', subject.productId),
    );
}

function asSale(row: InferResult<ReturnType<typeof salesOf>>[number]) {
  const { user_id: id, deleted_at, messenger_user_id, shown_id, named_email, ...sale } = row;
  const { email, name } = shownPerson({ ...row, id });
  return { ...sale, email, name, isDeleted: deleted_at !== null };
}

export function exportSales(db: Database, subject: MembershipTarget): AsyncGenerator<string> {
  return csvOf(
    batchesOf(() => salesOf(db, subject), { ...BY_TIME, limit: 1_000 }),
    {
      payment_id: ({ id }) => id,
      paid_at: ({ createdAt }) => formatTimestamp(createdAt),
      status: ({ status }) => status,
      reason: ({ reason }) => reason,
      amount_minor: ({ amountMinor }) => `${amountMinor}`,
      refunded_minor: ({ refundedMinor }) => `${refundedMinor}`,
      currency: ({ currency }) => currency,
      dispute: ({ dispute }) => dispute,
      pricing_plan_id: ({ planId }) => planId,
      product_id: ({ productId }) => productId,
      buyer_email: (sale) => asSale(sale).email,
      utm_source: ({ utmSource }) => utmSource,
      provider: ({ provider }) => provider,
      provider_reference: ({ reference }) => reference,
      order_id: ({ orderId }) => orderId,
    },
  );
}

export async function listOwnPayments(db: Database, userId: string, after: Position | undefined) {
  const payments = db
    .selectFrom('payments')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'payments.pricing_plan_id')
    .leftJoin('communities', 'communities.id', 'payments.community_id')
    .leftJoin('products', 'products.id', 'payments.product_id')
    .select(PAYMENT_COLUMNS)
    .select(['communities.name as communityName', 'products.name as productName'])
    .where('payments.user_id', '=', userId)
    .where('payments.status', '=', 'succeeded')
    .where('payments.amount_minor', '>', 0);
  return await readPage(payments, { ...BY_TIME, after }, (payment) => payment);
}

export type OwnPayment = Awaited<ReturnType<typeof listOwnPayments>>['rows'][number];

export async function listMemberPayments(
  db: Database,
  { communityId, membershipId }: { communityId: string; membershipId: string },
) {
  return await db
    .selectFrom('payments')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'payments.pricing_plan_id')
    .select(PAYMENT_COLUMNS)
    .where('payments.community_id', '=', communityId)
    .where('payments.user_id', '=', (eb) =>
      eb
        .selectFrom('memberships')
        .select('memberships.user_id')
        .where('memberships.id', '=', membershipId)
        .where('memberships.community_id', '=', communityId),
    )
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(PAGE_SIZE)
    .execute();
}

export type MemberPayment = Awaited<ReturnType<typeof listMemberPayments>>[number];

export type CommunityFigures = Awaited<ReturnType<typeof readCommunityFigures>>;

/** How many payments the revenue of a community covers at most. Reading more would slow down the page. */
const PAYMENTS_COUNTED_MAX = 10_000;

const MEMBERS_COUNTED_MAX = 20_000;

/** How many plans a page counts at most. Only the operator can create more than 200. */
const PLANS_COUNTED_MAX = 1_000;

function startOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export async function readCommunityFigures(db: Database, communityId: string, now: number) {
  const plans = db
    .selectFrom('pricing_plans')
    .select('id')
    .where('community_id', '=', communityId)
    .where('archived_at', 'is', null)
    .limit(PLANS_COUNTED_MAX);
  return {
    members: await countMembersWith(db, { communityId, status: 'active', now, max: MEMBERS_COUNTED_MAX }),
    plansForSale: await countRows(db.selectFrom(plans.as('counted'))),
    ...(await readRevenue(db, communityId, now)),
  };
}

/** Payments minus refunds, by currency, the one with the most payments first. `hasMoreRevenue`: not all were read. */
async function readRevenue(db: Database, communityId: string, now: number) {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('payments')
        .select(['currency', 'amount_minor', 'refunded_minor', 'status'])
        .where('community_id', '=', communityId)
        .where('created_at', '>=', startOfMonth(now))
        .where('created_at', '<=', now)
        .orderBy('created_at', 'desc')
        .limit(PAYMENTS_COUNTED_MAX)
        .as('newest'),
    )
    .select(({ fn }) => ['currency', 'status', fn.sum<number>('amount_minor').as('amount')] as const)
    .select(({ fn }) => fn.sum<number>('refunded_minor').as('refunded'))
    .select(({ fn }) => fn.countAll<number>().as('payments'))
    .groupBy(['currency', 'status'])
    .execute();
  const payments = rows.reduce((total, row) => total + Number(row.payments), 0);
  const revenue = rows
    .filter(({ status }) => status === 'succeeded')
    .sort((one, other) => Number(other.payments) - Number(one.payments))
    .map(({ currency, amount, refunded }) => ({ currency, priceMinor: Number(amount) - Number(refunded) }));
  return { revenue, hasMoreRevenue: payments >= PAYMENTS_COUNTED_MAX };
}
