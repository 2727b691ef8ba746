import type { ChargeResult, FoundCharge, PaymentOrder, PaymentProvider } from './payment-provider.js';

/** Payment provider that can look orders up. */
export type FindingProvider = PaymentProvider & Required<Pick<PaymentProvider, 'findCharge'>>;

/** True if the provider can look orders up. */
export function canFindCharges(payments: PaymentProvider): payments is FindingProvider {
  return payments.findCharge !== undefined;
}

/**
 * Charges an order.
 *
 * @throws the error of the provider, or an Error if its result is neither `paid` nor `declined`. The result is unknown then.
 */
export async function chargeOrder(payments: PaymentProvider, order: PaymentOrder): Promise<ChargeResult> {
  const result = await payments.charge(order);
  return checkKind(result, { call: 'charge', kinds: ['paid', 'declined'] });
}

/**
 * Looks an order up.
 *
 * @throws the error of the provider, or an Error if its result has an unknown kind.
 */
export async function findOrder(payments: FindingProvider, order: PaymentOrder): Promise<FoundCharge> {
  const result = await payments.findCharge(order);
  return checkKind(result, { call: 'findCharge', kinds: ['paid', 'declined', 'none', 'pending'] });
}

/** A provider in JavaScript can return anything. Access must only follow a payment. */
function checkKind<Result extends { readonly kind: string }>(
  result: Result | undefined,
  { call, kinds }: { call: string; kinds: readonly Result['kind'][] },
): Result {
  if (result !== undefined && kinds.includes(result.kind)) return result;
  throw new Error(
    `"${call}" of the payment provider returned ${JSON.stringify(result)}. Return an object with "kind" ${kinds.join(' or ')}.`,
  );
}
