/** Stripe as a payment provider of a Latchkey server. */

export { checkStripe, type StripeFinding, signedProbe } from './check-stripe.js';
export { WEBHOOK_EVENTS } from './events.js';
export type { StripeOptions } from './stripe-options.js';
export { stripePayments } from './stripe-payments.js';
