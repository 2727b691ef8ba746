/**
 * Requests, sessions and data of the service, for additional routes. This entry changes with the server: use exactly the
 * same version of both.
 */

export { rejectUnknownOptions } from './app/known-options.js';
export { isApiKey } from './domain/api-keys/api-key.js';
export { grantProvisioning, withdrawProvisioning } from './domain/api-keys/api-keys.js';
export { planResource } from './domain/catalogue/plan.resource.js';
export { formatPrice, priceInput } from './domain/catalogue/price.js';
export { changePlan } from './domain/catalogue/pricing-plans.js';
export { productResource } from './domain/catalogue/product.resource.js';
export { changeProduct, deleteProduct, findProductOnSale } from './domain/catalogue/products.js';
export { checkoutPath, findCheckout, findOfferOf, openCheckout } from './domain/checkout/checkouts.js';
export { RENEWAL_LEAD_MS } from './domain/checkout/due-renewals.js';
export { payCheckout } from './domain/checkout/pay-checkout.js';
export { renameCommunity } from './domain/communities/communities.js';
export { communitySchema, messengerBotNameField } from './domain/communities/community.js';
export type { CommunityActor } from './domain/communities/community-access.js';
export type { RoleChange } from './domain/communities/role-change.js';
export { changeRole } from './domain/communities/roles.js';
export { dropSchema, dropState } from './domain/drops/drop.js';
export { changeDrop, endDrop } from './domain/drops/drops.js';
export { signUpForDrop } from './domain/drops/sign-up-for-drop.js';
export type { Resource } from './domain/fields/define-resource.js';
export { emailField, nameField } from './domain/fields/fields.js';
export { isActiveMember } from './domain/memberships/active-memberships.js';
export { changeMembership } from './domain/memberships/administer-membership.js';
export { membershipState } from './domain/memberships/membership-state.js';
export {
  cancelSubscription,
  eventMembership,
  recordMembershipChange,
} from './domain/memberships/memberships.js';
export { findInvite, type MessengerInvite } from './domain/messenger/invites.js';
export { findJoinRequest, listJoinedAccounts, listJoinRequests } from './domain/messenger/join-requests.js';
export { listCommunitiesWithBot } from './domain/messenger/messenger-bots.js';
export { deleteClient, listClients } from './domain/oauth/clients.js';
export { createOperator } from './domain/operator/operator.js';
export {
  addRows,
  readTables,
  replaceTables,
  type TableContents,
  type TableRow,
} from './domain/operator/table-contents.js';
export { endAllSessions } from './domain/sessions/sessions.js';
export { type CurrentCode, listCurrentCodes, listTwoStepUsers } from './domain/two-step/authenticator-app.js';
export { findUserByEmail, listMessengerUsers, listUsers, renameUser } from './domain/users/users.js';
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
export { deleteWebhook } from './domain/webhooks/registration/webhooks.js';
export { postponeDelivery } from './domain/webhooks/sending/delivery-queue.js';
export type {
  DeliveryInterceptor,
  InterceptedDelivery,
  StoredAttempt,
} from './domain/webhooks/sending/delivery-sender.js';
export { PENDING } from './platform/database/lease-rows.js';
export type { Database } from './platform/database/open-database.js';
export { containsText } from './platform/database/rows.js';
export { schemaStatus } from './platform/database/schema/schema-status.js';
export { inTransaction } from './platform/database/transaction.js';
export { HttpFailure, methodNotAllowed } from './platform/http/http-failure.js';
export { redirect } from './platform/http/redirect.js';
export { formOf, readForm, requestQuery } from './platform/http/request-input.js';
export { defaultLogger } from './platform/logging/logger.js';
export { createRedactor, HIDDEN, type Redactor } from './platform/logging/redaction.js';
export { DARK_QUERY as MAIL_DARK_QUERY } from './platform/mail/mail-styles.js';
export { hashSecret, hashToken, isSameHash } from './platform/secrets.js';
export { readContinuePath, signInPath } from './web/sign-in/continue-path.js';
export { findSignedInUser, startUserSession } from './web/sign-in/user-session.js';
export { sameOriginGuard } from './web/ui/frame/same-origin-guard.js';
