import type { WidgetEventDetails } from './widget-events.js';

type CheckoutEvent = 'latchkey-checkout' | 'latchkey-checkout-error';

/**
 * Dispatches an event of a checkout.
 * @returns false if a listener prevented the default.
 */
export function emitCheckout<Type extends CheckoutEvent>(
  target: EventTarget,
  type: Type,
  detail: WidgetEventDetails[Type],
): boolean {
  const cancelable = type === 'latchkey-checkout';
  return target.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
}
