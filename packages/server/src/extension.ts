/**
 * Requests, sessions and data of the service, for additional routes. This entry changes with the server: use exactly the
 * same version of both.
 */

export { rejectUnknownOptions } from './app/known-options.js';
export { isApiKey } from './domain/api-keys/api-key.js';
export {
  AUDIT_ACTIONS,
  type AuditAction,
  identifyActor,
  type ListedAuditEntry,
  listAuditEntries,
} from './domain/audit/audit.js';
export { planResource } from './domain/catalogue/plan.resource.js';
export { formatPrice, priceInput } from './domain/catalogue/price.js';
export { productResource } from './domain/catalogue/product.resource.js';
export { findCheckout, openCheckout } from './domain/checkout/checkouts.js';
export { RENEWAL_LEAD_MS } from './domain/checkout/due-renewals.js';
export { payCheckout } from './domain/checkout/pay-checkout.js';
export type { Resource } from './domain/fields/define-resource.js';
export { isActiveMember } from './domain/memberships/active-memberships.js';
export { findClaim, proveEmail } from './domain/memberships/claims.js';
export {
  cancelSubscription,
  eventMembership,
  recordMembershipChange,
} from './domain/memberships/memberships.js';
export { findInvite, type MessengerInvite } from './domain/messenger/invites.js';
export { findJoinRequest, listJoinedAccounts, listJoinRequests } from './domain/messenger/join-requests.js';
export { listCommunitiesWithBot } from './domain/messenger/messenger-bots.js';
export { checkAuthorization } from './domain/oauth/check-authorization.js';
export { listClients } from './domain/oauth/clients.js';
export { createOperator } from './domain/operator/operator.js';
export { issueText } from './domain/operator/operator-checks.js';
export {
  OWNER_FIELDS,
  type OwnerKinds,
  RECORD_KINDS,
  RECORDS,
  type RecordKind,
  recordKind,
} from './domain/operator/record-kinds.js';
export type { CreatedRecord } from './domain/operator/record-writes.js';
export {
  type DataRecord,
  type FoundRecord,
  type RecordInput,
  type RecordPage,
  type RecordQuery,
  requireRow,
} from './domain/operator/records.js';
export {
  addRows,
  readTables,
  replaceTables,
  type TableContents,
  type TableRow,
} from './domain/operator/table-contents.js';
export { type CurrentCode, listCurrentCodes, listTwoStepUsers } from './domain/two-step/authenticator-app.js';
export { findUserByEmail, listMessengerUsers, listUsers } from './domain/users/users.js';
export {
  type DeliveryRoundTrip,
  deliveryHeaders,
  signBody,
} from './domain/webhooks/attempt/delivery-request.js';
export { recordEvent } from './domain/webhooks/event-outbox.js';
export { findDelivery, scheduleRedelivery } from './domain/webhooks/log/deliveries.js';
export {
  type EventFilter,
  findDeliveryOwner,
  listLoggedEvents,
  listWebhookSecrets,
} from './domain/webhooks/log/webhook-log.js';
export { postponeDelivery } from './domain/webhooks/sending/delivery-queue.js';
export type { DeliveryInterceptor, InterceptedDelivery } from './domain/webhooks/sending/delivery-sender.js';
export { PENDING } from './platform/database/lease-rows.js';
export type { Database } from './platform/database/open-database.js';
export { schemaStatus } from './platform/database/schema/schema-status.js';
export { inTransaction } from './platform/database/transaction.js';
export { HttpFailure, methodNotAllowed } from './platform/http/http-failure.js';
export { isFromThisMachine, isLoopbackAddress } from './platform/http/peers.js';
export { redirect } from './platform/http/redirect.js';
export { formOf, readForm, requestQuery } from './platform/http/request-input.js';
export { wantsPage } from './platform/http/request-kind.js';
export { defaultLogger } from './platform/logging/logger.js';
export { createRedactor, HIDDEN } from './platform/logging/redaction.js';
export { DARK_QUERY as MAIL_DARK_QUERY } from './platform/mail/mail-styles.js';
export { hashSecret, hashToken } from './platform/secrets.js';
export { readContinuePath, signInPath } from './web/sign-in/continue-path.js';
export { findSignedInUser, startUserSession } from './web/sign-in/user-session.js';
export { sameOriginGuard } from './web/ui/frame/same-origin-guard.js';
