import type { Page } from '../ui/frame/site.js';
import { type CheckoutPageProps, renderCheckoutPage } from './order-form.js';

/** Props of {@link checkoutCryptoPage}. */
export interface CheckoutCryptoPageProps extends CheckoutPageProps {
  /** Amount, address and other details of the transfer. */
  transfer: readonly { label: string; value: string }[];
}

/** Renders the checkout for a crypto transfer: `POST` of `terms` and `method` to the page's `action`. */
export function checkoutCryptoPage(props: CheckoutCryptoPageProps): Page {
  return renderCheckoutPage(props, {
    title: `Pay for ${props.order.name} in crypto`,
    question: 'What happens next',
    submit: 'Confirm that I sent it',
    children: (
      <section aria-labelledby="transfer">
        <h2 class="section-label" id="transfer">
          Send the amount
        </h2>
        <dl class="bill transfer">
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
