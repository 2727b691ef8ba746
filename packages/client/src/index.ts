export type { CallOptions } from './call/call-options.js';
export {
  isLatchkeyApiError,
  LatchkeyApiError,
  type LatchkeyApiErrorCode,
  type LatchkeyApiErrorOf,
} from './call/latchkey-api-error.js';
export type { CheckoutRequest, CheckoutSession } from './endpoints/buy-plan.js';
export type { MessengerCheck, MessengerCheckRequest } from './endpoints/check-messenger.js';
export type { DropSignup, DropSignupRequest, DropSlot } from './endpoints/drop-signup.js';
export type { InviteLink, InviteLinkRequest } from './endpoints/invite-link.js';
export type { Buyer, ProvisionedMembership, ProvisionRequest } from './endpoints/provision-external.js';
export { LatchkeyClient } from './latchkey-client.js';
export {
  type ClientOptionProblem,
  ClientOptionsError,
  isClientOptionsError,
} from './options/client-options-error.js';
export type { Clock } from './options/clock.js';
export type { Logger } from './options/logger.js';
export type { ClientOptions } from './options/options.js';
export type { Sleep } from './options/sleep.js';
