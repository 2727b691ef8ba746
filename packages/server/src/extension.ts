/**
 * Requests, sessions and data of the service, for additional routes. This entry changes with the server: use exactly the
 * same version of both.
 */

export { rejectUnknownOptions } from './app/known-options.js';
export { isApiKey } from './features/api-keys/api-key.resource.js';
export { identifyActor } from './features/audit/audit.js';
export { findCheckout, openCheckout } from './features/checkout/checkouts.js';
export { RENEWAL_LEAD_MS } from './features/checkout/due-renewals.js';
export { payCheckout } from './features/checkout/pay-checkout.js';
export { DEFAULT_PAYMENT_LIMITS } from './features/checkout/payment-budgets.js';
export { listCommunitiesWithBot } from './features/communities/communities.js';
export type { Records } from './features/fields/define-records.js';
export type { Resource } from './features/fields/define-resource.js';
export { isActiveMember } from './features/memberships/active-memberships.js';
export { findClaim, proveEmail } from './features/memberships/claims.js';
export {
  cancelSubscription,
  eventMembership,
  recordMembershipChange,
} from './features/memberships/memberships.js';
export {
  findInvite,
  findJoinRequest,
  listJoinedAccounts,
  listJoinRequests,
  type MessengerInvite,
} from './features/messenger/join-requests.js';
export { checkAuthorization } from './features/oauth/check-authorization.js';
export { issueText } from './features/operator/operator-checks.js';
export {
  RECORD_KINDS,
  type RecordKind,
  recordKind,
} from './features/operator/record-kinds.js';
export {
  type DataRecord,
  type RecordInput,
  type RecordQuery,
  requireRow,
} from './features/operator/records.js';
export {
  addRows,
  readTables,
  replaceTables,
  type TableContents,
  type TableRow,
} from './features/operator/table-contents.js';
export { formatPrice, priceInput } from './features/plans/price.js';
export { DEFAULT_SIGN_IN_LIMITS } from './features/sign-in/sign-in-budgets.js';
export {
  type CurrentCode,
  listCurrentCodes,
  listTwoStepUsers,
} from './features/two-step/authenticator-app.js';
export { findUserByEmail, listMessengerUsers, listUsers } from './features/users/users.js';
export {
  type DeliveryRoundTrip,
  deliveryHeaders,
  signBody,
} from './features/webhooks/attempt/delivery-request.js';
export { recordEvent } from './features/webhooks/event-outbox.js';
export { findDelivery, scheduleRedelivery } from './features/webhooks/log/deliveries.js';
export {
  type EventFilter,
  findDeliveryOwner,
  listLoggedEvents,
  listWebhookSecrets,
} from './features/webhooks/log/webhook-log.js';
export { postponeDelivery } from './features/webhooks/sending/delivery-queue.js';
export type {
  DeliveryInterceptor,
  InterceptedDelivery,
} from './features/webhooks/sending/delivery-sender.js';
export { PENDING } from './platform/database/lease-rows.js';
export type { Database } from './platform/database/open-database.js';
export { schemaStatus } from './platform/database/schema/schema-status.js';
export { inTransaction } from './platform/database/transaction.js';
export { HttpFailure, methodNotAllowed } from './platform/http/http-failure.js';
export { isFromThisMachine, isLoopbackAddress } from './platform/http/peers.js';
export { redirect } from './platform/http/redirect.js';
export { formOf, readForm, requestQuery } from './platform/http/request-input.js';
export { wantsPage } from './platform/http/request-kind.js';
export { inEnglish } from './platform/http/visitor-language.js';
export { addMessages } from './platform/language/language.js';
export { defaultLogger } from './platform/logging/logger.js';
export { createRedactor, HIDDEN } from './platform/logging/redaction.js';
export { DARK_QUERY as MAIL_DARK_QUERY } from './platform/mail/mail-styles.js';
export { hashSecret, hashToken, isSameHash } from './platform/secrets.js';
export { readContinuePath, signInPath } from './web/kit/areas/continue-path.js';
export { findSignedInUser, startUserSession } from './web/kit/areas/user-session.js';
export { sameOriginGuard } from './web/kit/frame/same-origin-guard.js';
