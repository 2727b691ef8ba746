export type { CallOptions } from './call-options.js';
export {
  type ClientOptionProblem,
  ClientOptionsError,
  isClientOptionsError,
} from './client-options-error.js';
export type { Clock } from './clock.js';
export type { CheckoutRequest, CheckoutSession } from './endpoints/buy-plan.js';
export type { MessengerCheck, MessengerCheckRequest } from './endpoints/check-messenger.js';
export type { DropSignup, DropSignupRequest, DropSlot } from './endpoints/drop-signup.js';
export type { InviteLink, InviteLinkRequest } from './endpoints/invite-link.js';
export type { Buyer, ProvisionedMembership, ProvisionRequest } from './endpoints/provision-external.js';
export {
  isLatchkeyApiError,
  LatchkeyApiError,
  type LatchkeyApiErrorCode,
  type LatchkeyApiErrorOf,
} from './latchkey-api-error.js';
export { LatchkeyClient } from './latchkey-client.js';
export type { Logger } from './logger.js';
export type { ClientOptions } from './options.js';
export type { Sleep } from './sleep.js';
