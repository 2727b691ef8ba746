/** A fake Stripe on this machine, for tests and for trying things out without an account. */

export type { AccountEvent } from './testing/fake-account.js';
export {
  type FakeEndpoint,
  type FakeStripe,
  type FakeStripeOptions,
  type SignedWebhook,
  signWebhook,
  startFakeStripe,
} from './testing/fake-stripe.js';
export type { PageAct } from './testing/payment-page.js';
