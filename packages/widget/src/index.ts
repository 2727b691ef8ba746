export type { Checkout } from './checkout/checkout.js';
export type { ProductTypes } from './elements/gate-conditions.js';
export { LatchkeyGate } from './elements/gate-element.js';
export type { GateState } from './elements/gate-state.js';
export { LatchkeyJoin } from './elements/join-element.js';
export { LatchkeyLogin } from './elements/login-element.js';
export type { MembershipNames } from './elements/membership-line.js';
export { LatchkeyPlans } from './elements/plans-element.js';
export type { WidgetEventDetails } from './events/widget-events.js';
export type { Messages, OwnMessages } from './messages/en.js';
export type { PlansMessages } from './messages/plans-en.js';
export { registerMessages } from './messages/registry.js';
export type {
  LoginFailure,
  LoginFailureCode,
  LoginSession,
  LoginStatus,
  Membership,
  SessionSnapshot,
  UserIdentity,
} from './session/index.js';
export type {
  CheckoutErrorCode,
  CheckoutFailure,
  CheckoutSnapshot,
  CheckoutStatus,
  Plan,
} from './state/checkout-state.js';
