import type { Page } from '../ui/frame/site.js';
import { type CheckoutPageProps, renderCheckoutPage } from './order-form.js';
import { PriceText } from './terms-wording.js';

/** Renders the checkout for a card payment: `POST` of `terms` and `method` to the page's `action`. */
export function checkoutCardPage(props: CheckoutPageProps): Page {
  return renderCheckoutPage(props, {
    title: `Pay for ${props.order.name} by card`,
    question: 'Pay with',
    submit: (
      <span>
        Pay <PriceText {...props.order} />
      </span>
    ),
  });
}
