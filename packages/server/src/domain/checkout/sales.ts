import type { Database } from '../../platform/database/open-database.js';
import { PAGE_SIZE, type Position, readPage } from '../../platform/database/rows.js';

const PAYMENT_COLUMNS = [
  'payments.id',
  'pricing_plans.name as planName',
  'payments.status',
  'payments.reason',
  'payments.amount_minor as amountMinor',
  'payments.currency',
  'payments.created_at as createdAt',
] as const;

/**
 * Lists one page of a community's or a product's payments, failed ones included, newest first. `planName` is null if the plan was
 * deleted, and for a product. `reason` is that of a failed payment, and `no_access` for a successful one that gave no access.
 */
export async function listSales(
  db: Database,
  subject: { communityId: string } | { productId: string },
  after: Position | undefined,
) {
  const sales = db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'payments.pricing_plan_id')
    .select([
      ...PAYMENT_COLUMNS,
      'users.email',
      'users.name',
      'users.deleted_at',
      'payments.utm_source as utmSource',
    ])
    .where((eb) =>
      'communityId' in subject
        ? eb('payments.community_id', '=', subject.communityId)
        : eb('payments.product_id', '=', subject.productId),
    );
  const order = { by: ['payments.created_at', 'payments.id'], direction: 'desc', after } as const;
  return await readPage(sales, order, ({ deleted_at, ...sale }) => ({
    ...sale,
    isDeleted: deleted_at !== null,
  }));
}

/** Payment with its buyer. */
export type Sale = Awaited<ReturnType<typeof listSales>>['rows'][number];

/** Lists the newest payments of a member to the community, failed ones included. */
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

/** Payment of one member. */
export type MemberPayment = Awaited<ReturnType<typeof listMemberPayments>>[number];
