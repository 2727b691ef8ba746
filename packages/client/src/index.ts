export type { CallOptions } from './call/call-options.js';
export {
  isLatchkeyApiError,
  LatchkeyApiError,
  type LatchkeyApiErrorCode,
  type LatchkeyApiErrorOf,
} from './call/latchkey-api-error.js';
export type {
  Buyer,
  CheckoutRequest,
  CheckoutSession,
  DropSignup,
  DropSignupRequest,
  DropSlot,
  InviteLink,
  InviteLinkRequest,
  MessengerCheck,
  MessengerCheckRequest,
  ProvisionedMembership,
  ProvisionRequest,
} from './endpoints.js';
export { LatchkeyClient } from './latchkey-client.js';
export type { ClientOptions, Clock, Logger, Sleep } from './options/options.js';
export {
  type ClientOptionProblem,
  ClientOptionsError,
  isClientOptionsError,
} from './options/options.js';
