import type { GateState } from '../elements/gate-state.js';
import type { LoginFailure, LoginFailureCode } from '../state/login-failure.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';

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
