import { type CheckoutPageProps, renderCheckoutPage } from './parts/order-form.js';
import { priceInWords } from './parts/terms-wording.js';

/** Asks the buyer to pay by card: `POST` of `terms` and `method` to the page's `action`. */
export function checkoutCardPage(props: CheckoutPageProps): string {
  return renderCheckoutPage(props, {
    title: `Pay for ${props.order.name} by card`,
    question: 'Pay with',
    submit: `Pay ${priceInWords(props.order)}`,
  });
}
