export type { ServiceNamesOption } from '@latchkey/contract/constants';
export type {
  CheckoutClient,
  CheckoutOptions,
  CheckoutPageDetails,
  CheckoutPlan,
  CheckoutState,
  InviteLinkOptions,
} from './checkout/checkout-options.js';
export type {
  AwaitingDetails,
  AwaitMembershipOptions,
  ForbiddenDetails,
  ForbiddenReason,
  GateOptions,
  LatchkeyPages,
  MembershipGateOptions,
  RejectedVisitor,
  RejectionReason,
  TeaserDetails,
  UpgradeUrl,
} from './gates/gate-options.js';
export type { Gate, Gates, ViewSession } from './gates/gates.js';
export type { Middleware } from './http/middleware.js';
export { type Latchkey, latchkey } from './latchkey.js';
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
export {
  LatchkeyError,
  type LatchkeyErrorCode,
  LatchkeyOptionsError,
  type OptionProblem,
} from './platform/errors.js';
export type { Logger } from './platform/log.js';
export type {
  RequestSession,
  SessionAccess,
  SignedInRequest,
  SignedInSession,
  SignedOutSession,
} from './session/visitor.js';
export type { SessionBody } from './sign-in/session-endpoint.js';
export type { SignInFailedDetails, SignInFailure } from './sign-in/sign-in-failure.js';
export {
  type DirectoryConflict,
  DirectoryConflictError,
  DirectoryImportError,
  type DirectoryOptions,
  membershipDirectory,
} from './stores/create-directory.js';
export type {
  DirectoryEntry,
  DirectoryRecord,
  DirectoryStatement,
  DirectoryStore,
  EventClaim,
  ExpressSessionStore,
  ImportResult,
  MembershipDirectory,
  SessionLock,
  StoredSession,
  StoreResult,
  WebhookEventStore,
} from './stores/kit-store.js';
export { memoryDirectory } from './stores/memory.js';
export type { PostgresPool } from './stores/postgres.js';
export {
  type PostgresDirectoryOptions,
  postgresDirectory,
  postgresEventStore,
  postgresLock,
} from './stores/postgres.js';
export type { IoRedisScripts, NodeRedisScripts } from './stores/redis.js';
export {
  type IoRedisClient,
  type NodeRedisClient,
  type RedisDirectoryOptions,
  redisDirectory,
  redisEventStore,
  redisLock,
} from './stores/redis.js';
export { sqliteDirectory } from './stores/sqlite.js';
export { keepRawBody } from './webhooks/raw-body.js';
export type { EventIdReader } from './webhooks/read-event.js';
export type { MembershipReader, WebhookDelivery, WebhookMembership } from './webhooks/read-membership.js';
export { webhooks } from './webhooks/receive-webhook.js';
export type {
  NoPayload,
  PayloadOf,
  PayloadResult,
  PayloadSchema,
  PayloadSchemas,
} from './webhooks/webhook-event.js';
export {
  type AnyWebhookEvent,
  isKnownWebhookEvent,
  type KnownWebhookEvent,
  type ReferencePayload,
  referencePayload,
  type WebhookEvent,
  type WebhookEventOf,
} from './webhooks/webhook-event.js';
export type {
  WebhookContext,
  WebhookHandler,
  WebhookHandlers,
  WebhookOptions,
} from './webhooks/webhook-options.js';
export type { SecretsById, WebhookSource } from './webhooks/webhook-secrets.js';
