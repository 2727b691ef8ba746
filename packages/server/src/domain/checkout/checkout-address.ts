import type { PaymentKind } from './payment-provider.js';

/** Path of a checkout's page. The secret in it is all that it takes to see and pay the order. */
export function checkoutPath(paidBy: PaymentKind, secret: string): string {
  return `/checkout/${paidBy}/${secret}`;
}
