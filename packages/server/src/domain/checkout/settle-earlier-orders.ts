import { withinLimit } from '../../platform/background/bounded-wait.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import { listLostCharges, type StartedCharge } from '../charges/started-charges.js';
import { canFindCharges, findOrder } from './charge-order.js';
import { type ChargedCheckout, chargedCheckout, orderOf } from './charged-checkout.js';
import type { FoundCharge, PaymentProvider } from './payment-provider.js';
import { settleCharge } from './settle-charge.js';

/** Time limit of a look-up while the buyer waits, in milliseconds. */
const BUYER_WAIT_MS = 5_000;

/**
 * Stores the payments of a buyer's other orders for the same community or product that the provider has charged, and that have no
 * stored result. A buyer who saw an error and started again would otherwise pay twice.
 *
 * @returns true if one of them gave access. Without access, the new order is another purchase.
 */
export async function settleEarlierOrders(
  db: Database,
  { checkout: { buyer, offer }, orderId }: { checkout: ChargedCheckout; orderId: string },
  { payments, logger, now }: { payments: PaymentProvider; logger: Logger; now: () => number },
): Promise<boolean> {
  if (!canFindCharges(payments)) return false;
  const provider = payments;
  const charges = await listLostCharges(db, { buyerId: buyer.id, except: orderId, now: now() });
  // At once, so that the buyer waits for one time limit only.
  const settled = await Promise.all(
    charges.map(async (started) => {
      const checkout = await chargedCheckout(db, started);
      if (targetOf(checkout) !== targetOf({ offer })) return false;
      const result = await find(started, checkout);
      // Another result may not be final: another tab can be charging.
      if (result?.kind !== 'paid') return false;
      const { id, method } = started;
      const charge = { checkout, method, orderId: id, result };
      return (await settleCharge(db, charge, { logger, now: now() })).kind !== 'no-access';
    }),
  );
  return settled.includes(true);

  async function find(charge: StartedCharge, checkout: ChargedCheckout): Promise<FoundCharge | undefined> {
    try {
      const finding = findOrder(provider, orderOf(charge, checkout));
      return await withinLimit(finding, { name: 'The look-up of an order', limitMs: BUYER_WAIT_MS });
    } catch (error) {
      logger.error({ order: charge.id, error }, 'An earlier order of a buyer could not be looked up');
      return undefined;
    }
  }
}

/** Returns the id of the community or the product. */
function targetOf({ offer: { subject } }: Pick<ChargedCheckout, 'offer'>): string {
  return subject.kind === 'plan' ? subject.communityId : subject.productId;
}
