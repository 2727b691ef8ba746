import type { Response } from 'express';
import type { Brand } from '../../domain/brand/brand.js';
import { maskEmail, type PurchaseOutlook } from '../../domain/checkout/buyer-access.js';
import type { OpenCheckout } from '../../domain/checkout/checkout.js';
import { termsOf } from '../../domain/checkout/offer.js';
import type { DeclineReason, PaymentProvider } from '../../domain/checkout/payment-provider.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import { type CheckoutPageProps, renderCheckoutPage } from './order-form.js';
import { PriceText } from './terms-wording.js';

/** Messages to the buyer about a failed payment. */
export const DECLINE_WORDING: Readonly<Record<DeclineReason, string>> = {
  card_declined: 'Your card was declined and nothing was charged. Use another payment method, or try again.',
  insufficient_funds:
    'Your card has insufficient funds and nothing was charged. Use another payment method, or try again.',
  transfer_expired: 'The transfer did not arrive in time and nothing was charged. Try again.',
};

/** True if the text is a known decline reason. */
export function isDeclineReason(text: string | null): text is DeclineReason {
  return text !== null && Object.hasOwn(DECLINE_WORDING, text);
}

interface ShownCheckout {
  checkout: OpenCheckout;
  payments: PaymentProvider;
  /** Access that a payment now leads to; undefined for visitors other than the buyer. */
  outlook: PurchaseOutlook | undefined;
  /** Community that sells a plan; `undefined` for a product. */
  brand: Brand | undefined;
  /** Root-relative path of the page. */
  path: string;
  error: string | undefined;
  /** Method of the last payment attempt. */
  chosen: string | undefined;
  /** True if the order changed after the buyer opened the page. */
  hasChanged: boolean;
}

/** Sends the checkout page for a card or crypto payment. */
export function sendCheckoutPage(
  response: Response,
  { checkout, payments, outlook, brand, path, error, chosen, hasChanged }: ShownCheckout,
): void {
  const { offer, buyer, reservationId } = checkout;
  const { amountMinor, currency } = offer;
  const props = {
    order: {
      ...offer,
      outlook,
      seller: brand ?? (offer.seller === null ? null : { name: offer.seller, logoUrl: null }),
      buyer: buyer.email === null ? 'Your account' : maskEmail(buyer.email),
    },
    action: `${path}/pay`,
    terms: termsOf(offer, buyer.id),
    methods: payments.methods(offer.paidBy),
    cancelUrl: new URL(checkout.cancelUrl).href,
    error,
    chosen,
    notice: hasChanged
      ? 'The order changed after you opened this page. Nothing was charged. Check the order before you pay.'
      : undefined,
    disclaimer: payments.disclaimer,
    accent: brand?.accent ?? null,
  };
  const order = { orderId: reservationId, amountMinor, currency };
  sendPage(
    response,
    offer.paidBy === 'card'
      ? checkoutCardPage(props)
      : checkoutCryptoPage({ ...props, transfer: payments.transferDetails(order) }),
  );
}

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

interface CheckoutCryptoPageProps extends CheckoutPageProps {
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
