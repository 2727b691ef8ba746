export type { Checkout } from './checkout/checkout.js';
export { LatchkeyJoin } from './checkout/join-element.js';
export { LatchkeyPlans } from './checkout/plans-element.js';
export { LatchkeyGate } from './gate/gate-element.js';
export type { GateState, ProductTypes } from './gate/gate-rule.js';
export { LatchkeyLogin } from './login/login-element.js';
export type { MembershipNames } from './login/panel.js';
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
export type { WidgetEventDetails } from './state/widget-events.js';
