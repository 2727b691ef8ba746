/** Sessions, checkouts and snapshots for stories and tests of pages with elements. Needs no service. Safe in Node. */

import type { Checkout } from './checkout/checkout.js';
import type { GateState } from './gate/gate-rule.js';
import type { LoginSession } from './session/login-session.js';
import type { CheckoutFailure, CheckoutSnapshot, Plan } from './state/checkout-state.js';
import type { LoginFailure, LoginFailureCode } from './state/login-failure.js';
import type { SessionSnapshot } from './state/login-state.js';

/** Options of {@link createStillSession}. */
export interface StillSessionOptions {
  /** Called with the name of each method that is called, such as `signIn`, but not of `subscribe` and `prepare`. */
  onCall?: ((method: string) => void) | undefined;
  /** Path of a backend. A gate with `community`, `product` or `plan` needs one. */
  backend?: string | undefined;
  /**
   * Implements `session.fetch`, which a gate with `src` calls.
   * @default returns an empty HTML response with status 200
   */
  fetch?: LoginSession['fetch'] | undefined;
}

/**
 * Creates a session that stays in one state. Assign it to an element's `session` in a story, or in a test of a page's
 * styles and slots. It opens no window and sends no request.
 */
export function createStillSession(
  snapshot: SessionSnapshot,
  { onCall = () => {}, backend, fetch = emptyPage }: StillSessionOptions = {},
): LoginSession {
  return {
    backend,
    snapshot,
    user: snapshot.user,
    memberships: snapshot.memberships,
    scopes: ['memberships.read'],
    subscribe: () => () => {},
    prepare: async () => {},
    signIn: () => onCall('signIn'),
    switchAccount: () => onCall('switchAccount'),
    cancel: () => onCall('cancel'),
    signOut: async () => onCall('signOut'),
    refresh: async () => onCall('refresh'),
    async getAccessToken() {
      onCall('getAccessToken');
      return 'invalid-token';
    },
    fetch(address, init) {
      onCall('fetch');
      return fetch(address, init);
    },
    dispose: () => onCall('dispose'),
  };
}

async function emptyPage(): Promise<Response> {
  return new Response('', { headers: { 'content-type': 'text/html' } });
}

/** Options of {@link createStillCheckout}. */
export interface StillCheckoutOptions {
  /** Called with the name of each method that is called, such as `buy`, but not of `subscribe` and `resume`. */
  onCall?: ((method: string) => void) | undefined;
}

/**
 * Creates a checkout that stays in one state. Assign it to the `checkout` of `<latchkey-plans>` or `<latchkey-join>` in
 * a story, or in a test of a page's styles and slots. It opens no window and sends no request.
 */
export function createStillCheckout(
  snapshot: CheckoutSnapshot,
  { onCall = () => {} }: StillCheckoutOptions = {},
): Checkout {
  return {
    snapshot,
    subscribe: () => () => {},
    load: async () => onCall('load'),
    buy: () => onCall('buy'),
    resume: () => {},
    cancel: () => onCall('cancel'),
    dispose: () => onCall('dispose'),
  };
}

const ada = { sub: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0001', email: 'ada@example.com' };

const community = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0002',
  productType: 'community',
  isActive: true,
  validFrom: '2025-01-01T00:00:00.000Z',
  isKnown: true,
  communityId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f00c1',
  productId: null,
  pricingPlanId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f00b1',
};

const course = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0003',
  productType: 'digital_product',
  isActive: true,
  validFrom: '2025-01-01T00:00:00.000Z',
  validUntil: '2031-03-31T12:00:00.000Z',
  isKnown: true,
  communityId: null,
  productId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f00d1',
  pricingPlanId: null,
};

const signedIn = {
  status: 'signed-in',
  signedIn: true,
  user: ada,
  memberships: [community, course],
} as const satisfies SessionSnapshot;

const failed = (code: LoginFailureCode, during: LoginFailure['during'] = 'sign-in'): SessionSnapshot => ({
  status: 'failed',
  signedIn: false,
  failure: { code, during, message: 'The reason, for developers.' },
});

/** A snapshot for each state of `<latchkey-login>`, by a readable name. */
export const loginStates = {
  checking: { status: 'checking', signedIn: false },
  'signed out': { status: 'signed-out', signedIn: false },
  opening: { status: 'opening', signedIn: false },
  waiting: { status: 'waiting', signedIn: false },
  exchanging: { status: 'exchanging', signedIn: false },
  'signed in': signedIn,
  'signed in without e-mail or membership': {
    status: 'signed-in',
    signedIn: true,
    user: { sub: ada.sub, email: null },
    memberships: [],
  },
  'signed in, sign-out failed': {
    ...signedIn,
    failure: { code: 'network', during: 'sign-out', message: 'The reason, for developers.' },
  },
  expired: { status: 'expired', signedIn: false },
  'popup blocked': failed('popup_blocked'),
  'popup closed': failed('popup_closed'),
  'opener severed': failed('opener_severed'),
  'origin refused': failed('origin_refused'),
  'state mismatch': failed('state_mismatch'),
  declined: failed('access_denied'),
  'code expired': failed('code_expired'),
  'no connection': failed('network'),
  'script missing': failed('script_missing'),
  'service error': failed('service_error'),
  'cookies blocked': failed('cookies_blocked'),
  'insecure page': failed('insecure_context'),
  misconfigured: failed('misconfigured'),
  'check failed': failed('network', 'check'),
} satisfies Readonly<Record<string, SessionSnapshot>>;

/** A snapshot for each state of a `<latchkey-gate>` without conditions. `misconfigured` is in the state `error`. */
export const gateStates = {
  loading: { status: 'checking', signedIn: false },
  'signed-out': { status: 'signed-out', signedIn: false },
  locked: { status: 'signed-in', signedIn: true, user: ada, memberships: [] },
  error: failed('network', 'check'),
  misconfigured: failed('misconfigured', 'check'),
  open: signedIn,
} satisfies Readonly<Record<GateState | 'misconfigured', SessionSnapshot>>;

/** The community that the plans are for. */
const communityId = '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0010';

const monthly: Plan = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0011',
  communityId,
  name: 'Monthly',
  price: '€9',
  term: 'per month',
  description: 'Everything for members. Cancel at any time.',
};

const yearly: Plan = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0012',
  communityId,
  name: 'Yearly',
  price: '€90',
  term: 'per year',
  description: 'Two months free.',
};

const lifetime: Plan = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0013',
  communityId,
  name: 'Lifetime',
  price: '€240',
  term: 'once',
};

const plans = [monthly, yearly, lifetime];
const planId = yearly.id;

const purchaseFailed = (code: (CheckoutFailure & { during: 'checkout' })['code'], continueUrl?: string) =>
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
  'plan unknown': purchaseFailed('plan_unknown'),
  'already a member': purchaseFailed('already_member', '/'),
  'already paid': purchaseFailed('already_paid', '/'),
  'checkout refused': purchaseFailed('checkout_refused'),
  'service unavailable': purchaseFailed('service_unavailable'),
  'sign-in required': purchaseFailed('sign_in_required'),
  'no connection': purchaseFailed('network'),
  misconfigured: purchaseFailed('misconfigured'),
  'sign-in failed': {
    status: 'failed',
    plans,
    planId,
    failure: { code: 'popup_blocked', during: 'sign-in', message: 'The reason, for developers.' },
  },
  'plans unavailable': failedToLoad('plans_unavailable'),
  'plans misconfigured': failedToLoad('misconfigured'),
} satisfies Readonly<Record<string, CheckoutSnapshot>>;

/** A session with a user who has the second plan of {@link plansStates}, until an end date. */
export const planOwner = {
  status: 'signed-in',
  signedIn: true,
  user: ada,
  memberships: [{ ...community, validUntil: course.validUntil, communityId, pricingPlanId: planId }],
} satisfies SessionSnapshot;
