import {
  asPage,
  formatPosition,
  type ListPage,
  PAGE_SIZE,
  type Position,
} from '../../platform/database/keyset.js';
import type { Database } from '../../platform/database/open-database.js';

/** Payment with its buyer. */
export interface Sale {
  id: string;
  email: string | null;
  name: string | null;
  /** True if the buyer deleted the account. */
  isDeleted: boolean;
  /** Null if the plan was deleted, and for a product. */
  planName: string | null;
  status: 'succeeded' | 'failed';
  /** Reason of a failed payment. `no_access` for a successful payment that gave no access. */
  reason: string | null;
  amountMinor: number;
  currency: string;
  /** Value from the request that opened the checkout (spec, "POST /api/checkout/buy-plan", `utmSource`). */
  utmSource: string | null;
  createdAt: number;
}

/** Lists one page of a community's or a product's payments, failed ones included, newest first. */
export async function listSales(
  db: Database,
  subject: { communityId: string } | { productId: string },
  after: Position | undefined,
): Promise<ListPage<Sale>> {
  const rows = await db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'payments.pricing_plan_id')
    .select(['payments.id', 'users.email', 'users.name', 'pricing_plans.name as plan_name'])
    .select(['payments.status', 'payments.reason', 'payments.amount_minor', 'payments.currency'])
    .select(['payments.utm_source', 'payments.created_at'])
    .select('users.deleted_at')
    .where((eb) =>
      'communityId' in subject
        ? eb('payments.community_id', '=', subject.communityId)
        : eb('payments.product_id', '=', subject.productId),
    )
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('payments.created_at', 'payments.id'), '<', eb.tuple(after?.at ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  const sales = rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    isDeleted: row.deleted_at !== null,
    planName: row.plan_name,
    status: row.status,
    reason: row.reason,
    amountMinor: row.amount_minor,
    currency: row.currency,
    utmSource: row.utm_source,
    createdAt: row.created_at,
  }));
  return asPage(sales, ({ createdAt, id }) => formatPosition({ at: createdAt, id }));
}

/** Payment of one member. */
export type MemberPayment = Pick<
  Sale,
  'id' | 'planName' | 'status' | 'reason' | 'amountMinor' | 'currency' | 'createdAt'
>;

/** Lists the newest payments of a member to the community, failed ones included. */
export async function listMemberPayments(
  db: Database,
  { communityId, membershipId }: { communityId: string; membershipId: string },
): Promise<MemberPayment[]> {
  const rows = await db
    .selectFrom('payments')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'payments.pricing_plan_id')
    .select(['payments.id', 'pricing_plans.name as plan_name', 'payments.status', 'payments.reason'])
    .select(['payments.amount_minor', 'payments.currency', 'payments.created_at'])
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
  return rows.map((row) => ({
    id: row.id,
    planName: row.plan_name,
    status: row.status,
    reason: row.reason,
    amountMinor: row.amount_minor,
    currency: row.currency,
    createdAt: row.created_at,
  }));
}
