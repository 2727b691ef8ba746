import type { PaymentKind } from './payment-provider.js';

/** Returns the path of a checkout's page. Whoever has the secret in it can view and pay the order. */
export function checkoutPath(paidBy: PaymentKind, secret: string): string {
  return `/checkout/${paidBy}/${secret}`;
}
