import { type CallEntry, isUnknown } from '../log/log-entries.ts';
import { SEED } from '../world/seed.ts';
import type { SoakEvent } from './soak-events.ts';
import type { SoakHistory } from './soak-history.ts';
import type { Report } from './violation.ts';

/** Checks that a paid product is bought once, is published, and gives access from the payment on. */
export function checkProducts(history: SoakHistory, report: Report): void {
  const purchases = Map.groupBy(
    history.events.filter(({ type }) => type === 'digital.product.purchase'),
    ({ data }) => data.user?.email ?? '',
  );
  const shoppers = shoppersOf(history);
  for (const [email, events] of purchases) {
    const { payments = [] } = shoppers.get(email) ?? {};
    if (!payments.some(mayBeCharged))
      report('event has a cause', `${email} has a digital.product.purchase, but nobody paid.`);
    if (events.length > 1)
      report('product is bought once', `${email} bought the product ${events.length} times.`);
    for (const event of events) checkContent(event, report);
  }
  for (const shopper of shoppers.values()) {
    const events = purchases.get(shopper.email) ?? [];
    if (events.length === 0 && shopper.payments.some(isPaid))
      report('event is delivered', `No digital.product.purchase for the payment of ${shopper.email}.`);
    checkAccess({ history, shopper, membershipId: events[0]?.data.membership?.id, report });
  }
  checkMembershipEvents(history, { purchases: [...purchases.values()].flat(), shoppers, report });
}

/** Buyer of the product, with the calls of the log. */
interface Shopper {
  name: string;
  email: string;
  payments: CallEntry[];
  pages: CallEntry[];
  lists: CallEntry[];
}

function shoppersOf(history: SoakHistory): Map<string, Shopper> {
  const lists = Map.groupBy(history.of('memberships'), ({ subject }) => subject);
  const own = history.of('open-product', 'pay-product', 'product-page');
  return new Map(
    [...Map.groupBy(own, ({ subject }) => subject)].map(([name, calls]) => {
      const email = String(calls[0]?.input.email);
      const payments = calls.filter(({ op }) => op === 'pay-product');
      const pages = calls.filter(({ op }) => op === 'product-page');
      return [email, { name, email, payments, pages, lists: lists.get(name) ?? [] }];
    }),
  );
}

function isPaid({ input, output }: CallEntry): boolean {
  return input.method === 'pays' && output?.result === 'paid';
}

/** True if the payment may have been charged: it was confirmed, or its result is unknown. */
function mayBeCharged(payment: CallEntry): boolean {
  return payment.input.method === 'pays' && (isPaid(payment) || isUnknown(payment));
}

function checkContent({ id, data }: SoakEvent, report: Report): void {
  const { product, membership, amount, currency } = data;
  const isTrue =
    product?.id === SEED.product.id &&
    membership?.productType === 'digital_product' &&
    membership.isActive === true &&
    membership.validUntil === null &&
    amount === SEED.product.priceMinor &&
    currency === SEED.product.currency;
  if (!isTrue) report('purchase event is true', `The event ${id} is not the sale of the product for life.`);
}

interface AccessCheck {
  history: SoakHistory;
  shopper: Shopper;
  /** Membership of the purchase's event; `undefined` without one. */
  membershipId: string | undefined;
  report: Report;
}

/** Checks every answer that states if the shopper owns the product. */
function checkAccess({ history, shopper, membershipId, report }: AccessCheck): void {
  const { name, payments } = shopper;
  const fail = (message: string) => report('product access follows the payment', `${name}: ${message}`);
  for (const { call, isOwned } of ownershipsOf(shopper)) {
    const { op, sent, done } = call;
    const mayOwn = payments.some((payment) => mayBeCharged(payment) && payment.sent <= done);
    if (isOwned && !mayOwn) fail(`${op} at ${sent} shows access before any payment.`);
    const paid = payments.find((payment) => isPaid(payment) && payment.done < sent);
    if (isOwned || paid === undefined) continue;
    // After a clock moved back, the paid access may not have started yet.
    const mayBeEarly = history.serverTime(sent, done).lo < history.serverTime(paid.sent, paid.done).hi;
    if (!mayBeEarly) fail(`${op} at ${sent} shows no access after the payment at ${paid.done}.`);
  }
  for (const { output, sent } of shopper.lists) {
    for (const { id, validUntil } of productsOf(output)) {
      if (membershipId !== undefined && id !== membershipId)
        fail(`the list at ${sent} has the membership ${id}, the event ${membershipId}.`);
      if (validUntil != null) fail(`the access listed at ${sent} ends at ${validUntil}.`);
    }
  }
}

/** The answers about ownership: of the product's page, the app's list, and the checkout. */
function ownershipsOf({ payments, pages, lists }: Shopper): { call: CallEntry; isOwned: boolean }[] {
  return [
    ...pages.flatMap((call) =>
      call.output?.access === 'owned' || call.output?.access === 'none'
        ? [{ call, isOwned: call.output.access === 'owned' }]
        : [],
    ),
    ...lists.flatMap((call) =>
      call.status === 200 ? [{ call, isOwned: productsOf(call.output).length > 0 }] : [],
    ),
    // The payment itself is no cause of the access that prevented it.
    ...payments.flatMap((call) => (call.output?.result === 'owned' ? [{ call, isOwned: true }] : [])),
  ];
}

interface ListedMembership {
  id: string;
  productType: string;
  validUntil?: string | null;
}

function productsOf(output: CallEntry['output']): ListedMembership[] {
  const list = (output?.memberships ?? []) as ListedMembership[];
  return list.filter(({ productType }) => productType === 'digital_product');
}

interface MembershipEventCheck {
  purchases: readonly SoakEvent[];
  shoppers: ReadonlyMap<string, Shopper>;
  report: Report;
}

/** Checks that each purchase has the event of its membership, and each membership of the product a payment. */
function checkMembershipEvents(
  { events }: SoakHistory,
  { purchases, shoppers, report }: MembershipEventCheck,
): void {
  const changes = events.filter(({ type, data }) => type.startsWith('membership.') && data.productId != null);
  const changedIds = new Set(changes.map(({ data }) => data.membership?.id));
  for (const { id, data } of purchases) {
    if (!changedIds.has(data.membership?.id))
      report('event is delivered', `No membership.created for the purchase ${id}.`);
  }
  for (const { id, type, data } of changes) {
    const payments = shoppers.get(data.user?.email ?? '')?.payments ?? [];
    if (!payments.some(mayBeCharged))
      report('event has a cause', `The event ${id} is about a product that nobody paid.`);
    if (type === 'membership.updated')
      report('product is bought once', `The event ${id} changes the membership of a product for life.`);
  }
}
