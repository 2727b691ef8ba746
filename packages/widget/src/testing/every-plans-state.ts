import type { CheckoutFailure, CheckoutSnapshot, Plan } from '../state/checkout-state.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';

const monthly: Plan = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0011',
  communityId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0010',
  name: 'Monthly',
  price: '€9',
  term: 'per month',
  description: 'Everything for members. Cancel at any time.',
};

const yearly: Plan = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0012',
  communityId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0010',
  name: 'Yearly',
  price: '€90',
  term: 'per year',
  description: 'Two months free.',
};

const lifetime: Plan = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0013',
  communityId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0010',
  name: 'Lifetime',
  price: '€240',
  term: 'once',
};

const plans = [monthly, yearly, lifetime];
const planId = yearly.id;

const failed = (code: (CheckoutFailure & { during: 'checkout' })['code'], continueUrl?: string) =>
  ({
    status: 'failed',
    plans,
    planId,
    failure: { code, during: 'checkout', message: 'The reason, for developers.', continueUrl },
  }) satisfies CheckoutSnapshot;

const failedToLoad = (code: 'plans_unavailable' | 'misconfigured') =>
  ({
    status: 'failed',
    failure: { code, during: 'load', message: 'The reason, for developers.' },
  }) satisfies CheckoutSnapshot;

/** A snapshot for each state of `<latchkey-plans>`, by a readable name. */
export const plansStates = {
  loading: { status: 'loading' },
  plans: { status: 'ready', plans },
  'no plans': { status: 'ready', plans: [] },
  'signing in': { status: 'signing-in', plans, planId },
  'opening the checkout': { status: 'opening', plans, planId },
  'plan unknown': failed('plan_unknown'),
  'already a member': failed('already_member', '/'),
  'already paid': failed('already_paid', '/'),
  'checkout refused': failed('checkout_refused'),
  'service unavailable': failed('service_unavailable'),
  'sign-in required': failed('sign_in_required'),
  'no connection': failed('network'),
  misconfigured: failed('misconfigured'),
  'sign-in failed': {
    status: 'failed',
    plans,
    planId,
    failure: { code: 'popup_blocked', during: 'sign-in', message: 'The reason, for developers.' },
  },
  'plans unavailable': failedToLoad('plans_unavailable'),
  'plans misconfigured': failedToLoad('misconfigured'),
} satisfies Readonly<Record<string, CheckoutSnapshot>>;

/** A session whose user has the second plan of {@link plansStates}, until it ends. */
export const planOwner = {
  status: 'signed-in',
  signedIn: true,
  user: { sub: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0001', email: 'ada@example.com' },
  memberships: [
    {
      id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0002',
      productType: 'community',
      isActive: true,
      validFrom: '2025-01-01T00:00:00.000Z',
      validUntil: '2031-03-31T12:00:00.000Z',
      isKnown: true,
      communityId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0010',
      productId: null,
      pricingPlanId: planId,
    },
  ],
} satisfies SessionSnapshot;
