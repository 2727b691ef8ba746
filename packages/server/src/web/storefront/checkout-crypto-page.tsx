import type { Page } from '../ui/site.js';
import { type CheckoutPageProps, renderCheckoutPage } from './order-form.js';

/** Props of {@link checkoutCryptoPage}. */
export interface CheckoutCryptoPageProps extends CheckoutPageProps {
  /** What to send, and where to. */
  transfer: readonly { label: string; value: string }[];
}

/** Asks the buyer for a transfer in a crypto currency: `POST` of `terms` and `method` to the page's `action`. */
export function checkoutCryptoPage(props: CheckoutCryptoPageProps): Page {
  return renderCheckoutPage(props, {
    title: `Pay for ${props.order.name} in crypto`,
    question: 'What happens next',
    submit: 'I have sent it',
    children: (
      <section aria-labelledby="transfer">
        <h2 class="section-label" id="transfer">
          Send the amount
        </h2>
        <dl class="facts transfer">
          {props.transfer.map(({ label, value }) => [
            <dt key={`${label} name`}>{label}</dt>,
            <dd key={label}>
              <code>{value}</code>
            </dd>,
          ])}
        </dl>
      </section>
    ),
  });
}
