import { formatTimestamp } from '@latchkey/contract/constants';
import { csvLines } from '../../platform/csv.js';
import type { Database } from '../../platform/database/open-database.js';
import { PAGE_SIZE, type Position, readPage, readPosition } from '../../platform/database/rows.js';
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

/** Newest first, failed ones too. `reason` says why a payment failed; `no_access`, that it gave none. */
export async function listSales(
  db: Database,
  subject: { communityId: string } | { productId: string },
  after: Position | undefined,
) {
  const sales = db
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
  const order = { by: ['payments.created_at', 'payments.id'], direction: 'desc', after } as const;
  return await readPage(sales, order, (row) => {
    const { user_id: id, deleted_at, messenger_user_id, shown_id, named_email, ...sale } = row;
    const { email, name } = shownPerson({ ...row, id });
    return { ...sale, email, name, isDeleted: deleted_at !== null };
  });
}

export type Sale = Awaited<ReturnType<typeof listSales>>['rows'][number];

const EXPORT_COLUMNS = [
  ...['payment_id', 'paid_at', 'status', 'reason', 'amount_minor', 'refunded_minor', 'currency', 'dispute'],
  ...[
    'pricing_plan_id',
    'product_id',
    'buyer_email',
    'utm_source',
    'provider',
    'provider_reference',
    'order_id',
  ],
];

/** Streams all payments of a community or a product as CSV, including failed ones, newest first. */
export async function* exportSales(db: Database, subject: { communityId: string } | { productId: string }) {
  yield csvLines([EXPORT_COLUMNS]);
  let after: Position | undefined;
  do {
    const { rows, next } = await listSales(db, subject, after);
    yield csvLines(
      rows.map((sale) => [
        ...[sale.id, formatTimestamp(sale.createdAt), sale.status, sale.reason, `${sale.amountMinor}`],
        ...[`${sale.refundedMinor}`, sale.currency, sale.dispute, sale.planId, sale.productId, sale.email],
        ...[sale.utmSource, sale.provider, sale.reference, sale.orderId],
      ]),
    );
    after = readPosition(next ?? null);
  } while (after !== undefined);
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
  const order = { by: ['payments.created_at', 'payments.id'], direction: 'desc', after } as const;
  return await readPage(payments, order, (payment) => payment);
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
