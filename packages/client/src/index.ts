export type { CallOptions } from './call/call-options.js';
export {
  isLatchkeyApiError,
  LatchkeyApiError,
  type LatchkeyApiErrorCode,
  type LatchkeyApiErrorOf,
} from './call/latchkey-api-error.js';
export type {
  CheckoutRequest,
  CheckoutSession,
  InviteLink,
  InviteLinkRequest,
} from './endpoints/checkout.js';
export type { DropSignup, DropSignupRequest, DropSlot } from './endpoints/drop-signup.js';
export type {
  Buyer,
  MessengerCheck,
  MessengerCheckRequest,
  ProvisionedMembership,
  ProvisionRequest,
} from './endpoints/membership.js';
export { LatchkeyClient } from './latchkey-client.js';
export type { ClientOptions, Clock, Logger } from './options/options.js';
export {
  type ClientOptionProblem,
  ClientOptionsError,
  isClientOptionsError,
} from './options/options.js';
export type { Sleep } from './options/sleep.js';
