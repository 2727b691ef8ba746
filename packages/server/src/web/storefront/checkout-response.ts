import type { Response } from 'express';
import type { OpenCheckout } from '../../domain/checkout/checkout.js';
import { maskEmail } from '../../domain/checkout/masked-email.js';
import { termsOf } from '../../domain/checkout/offer.js';
import type { DeclineReason, PaymentProvider } from '../../domain/checkout/payment-provider.js';
import { sendPage } from '../ui/send-page.js';
import { checkoutCardPage } from './checkout-card-page.js';
import { checkoutCryptoPage } from './checkout-crypto-page.js';

/** Why a payment failed, in the words of the buyer. */
export const DECLINE_WORDING: Readonly<Record<DeclineReason, string>> = {
  card_declined: 'The card was declined, and nothing was charged. Choose another way to pay, or try again.',
  insufficient_funds:
    'There is not enough money on the card, and nothing was charged. Choose another way to pay, or try again.',
  transfer_expired: 'No transfer arrived in time. Nothing was paid; you can try again.',
};

/** Whether a text names one of the reasons that are known here. */
export function isDeclineReason(text: string | null): text is DeclineReason {
  return text !== null && Object.hasOwn(DECLINE_WORDING, text);
}

/** What a checkout page shows. */
interface ShownCheckout {
  checkout: OpenCheckout;
  payments: PaymentProvider;
  /** Root-relative address of the page. */
  path: string;
  problem: string | undefined;
  /** Whether the order is another one than the buyer wanted to pay. */
  hasChanged: boolean;
}

/** Sends the page on which a checkout is paid, by card or in crypto. */
export function sendCheckoutPage(
  response: Response,
  { checkout, payments, path, problem, hasChanged }: ShownCheckout,
): void {
  const { offer, buyer, reservationId } = checkout;
  const { amountMinor, currency } = offer;
  const props = {
    order: { ...offer, buyer: buyer.email === null ? 'Your account' : maskEmail(buyer.email) },
    action: `${path}/pay`,
    terms: termsOf(offer, buyer.id),
    methods: payments.methods(offer.paidBy),
    cancelUrl: new URL(checkout.cancelUrl).href,
    problem,
    notice: hasChanged
      ? 'The order has changed since you opened the page. Nothing was charged; look at it again.'
      : undefined,
    disclaimer: payments.disclaimer,
  };
  const order = { orderId: reservationId, amountMinor, currency };
  sendPage(
    response,
    offer.paidBy === 'card'
      ? checkoutCardPage(props)
      : checkoutCryptoPage({ ...props, transfer: payments.transferDetails(order) }),
  );
}
