import type { Checkout } from '../checkout/checkout.js';
import type { CheckoutSnapshot } from '../state/checkout-state.js';

/** Options of {@link createStillCheckout}. */
export interface StillCheckoutOptions {
  /** Called with the name of each method that is called, such as `buy`. */
  onCall?: ((method: string) => void) | undefined;
}

/**
 * Creates a checkout that stays in one state. Assign it to the `checkout` of `<latchkey-plans>` or `<latchkey-join>` in a
 * story or in a test of a page's own styles and slots. It opens no window and sends no request.
 */
export function createStillCheckout(
  snapshot: CheckoutSnapshot,
  { onCall = () => {} }: StillCheckoutOptions = {},
): Checkout {
  return {
    snapshot,
    subscribe: () => () => {},
    load: async () => onCall('load'),
    buy: () => onCall('buy'),
    resume: () => {},
    cancel: () => onCall('cancel'),
    dispose: () => onCall('dispose'),
  };
}
