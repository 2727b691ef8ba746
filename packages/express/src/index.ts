export type { ServiceNamesOption } from '@latchkey/contract/constants';
export type { CheckoutClient, CheckoutOptions, InviteLinkOptions } from './checkout/checkout-options.js';
export type { CheckoutPageDetails } from './checkout/checkout-page-details.js';
export type { CheckoutPlan } from './checkout/checkout-plan.js';
export type { CheckoutState } from './checkout/checkout-texts.js';
export type {
  AwaitMembershipOptions,
  GateOptions,
  MembershipGateOptions,
  TeaserDetails,
} from './gates/gate-options.js';
export type { Gate, Gates } from './gates/gates.js';
export type {
  AwaitingDetails,
  ForbiddenDetails,
  ForbiddenReason,
  LatchkeyPages,
} from './gates/latchkey-pages.js';
export type { RejectedVisitor, RejectionReason } from './gates/rejected-visitor.js';
export type { UpgradeUrl } from './gates/upgrade-url.js';
export type { ViewSession } from './gates/view-session.js';
export type { Middleware } from './http/middleware.js';
export { type Latchkey, latchkey } from './latchkey.js';
export { type DirectoryOptions, membershipDirectory } from './memberships/directory/create-directory.js';
export {
  type DirectoryConflict,
  DirectoryConflictError,
  DirectoryImportError,
} from './memberships/directory/directory-errors.js';
export type {
  DirectoryStatement,
  DirectoryStore,
  StoreResult,
} from './memberships/directory/directory-store.js';
export type {
  DirectoryEntry,
  DirectoryRecord,
  ImportResult,
  MembershipDirectory,
} from './memberships/directory/membership-directory.js';
export { memoryDirectory } from './memberships/directory/memory-directory.js';
export {
  type PostgresDirectoryOptions,
  postgresDirectory,
} from './memberships/directory/postgres-directory.js';
export { type RedisDirectoryOptions, redisDirectory } from './memberships/directory/redis-directory.js';
export { sqliteDirectory } from './memberships/directory/sqlite-directory.js';
export type { MembershipChange } from './memberships/forget-changed.js';
export {
  type CsvSource,
  MembershipCsvError,
  membershipRowsFromCsv,
} from './memberships/membership-rows.js';
export type {
  MembershipCriteria,
  MembershipPredicate,
  MembershipRule,
} from './memberships/membership-rule.js';
export {
  type MembershipCalls,
  MembershipNotRecordedError,
  recordingClient,
} from './memberships/recording-client.js';
export type { SiteMembership } from './memberships/site-membership.js';
export type { LatchkeyOptions } from './options.js';
export type { Clock } from './platform/clock.js';
export { LatchkeyError, type LatchkeyErrorCode } from './platform/latchkey-error.js';
export type { Logger } from './platform/logger.js';
export { LatchkeyOptionsError, type OptionProblem } from './platform/options-error.js';
export type { PostgresPool } from './platform/postgres.js';
export type { IoRedisScripts, NodeRedisScripts } from './platform/redis.js';
export { postgresLock } from './session/locks/postgres-lock.js';
export { type IoRedisClient, type NodeRedisClient, redisLock } from './session/locks/redis-lock.js';
export type { SessionLock } from './session/model/session-lock.js';
export type {
  RequestSession,
  SessionAccess,
  SignedInRequest,
  SignedInSession,
  SignedOutSession,
} from './session/request/request-session.js';
export type { ExpressSessionStore, StoredSession } from './session/stores/express-session-store.js';
export type { SignInFailedDetails } from './sign-in/send-sign-in-failure.js';
export type { SessionBody } from './sign-in/session-endpoint.js';
export type { SignInFailure } from './sign-in/sign-in-failure.js';
export type { EventClaim, WebhookEventStore } from './webhooks/event-stores/event-store.js';
export { postgresEventStore } from './webhooks/event-stores/postgres-event-store.js';
export { redisEventStore } from './webhooks/event-stores/redis-event-store.js';
export type {
  NoPayload,
  PayloadOf,
  PayloadResult,
  PayloadSchema,
  PayloadSchemas,
} from './webhooks/payload-schema.js';
export { keepRawBody } from './webhooks/raw-body.js';
export type { EventIdReader } from './webhooks/read-event.js';
export type { MembershipReader, WebhookDelivery, WebhookMembership } from './webhooks/read-membership.js';
export { type ReferencePayload, referencePayload } from './webhooks/reference-payload.js';
export {
  type AnyWebhookEvent,
  isKnownWebhookEvent,
  type KnownWebhookEvent,
  type WebhookEvent,
  type WebhookEventOf,
} from './webhooks/webhook-event.js';
export type {
  WebhookContext,
  WebhookHandler,
  WebhookHandlers,
  WebhookOptions,
} from './webhooks/webhook-options.js';
export type { SecretsById, WebhookSource } from './webhooks/webhook-source.js';
export { webhooks } from './webhooks/webhooks.js';
