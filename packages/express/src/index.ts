export type { Clock } from './clock.js';
export type { AwaitMembershipOptions } from './gates/await-membership.js';
export type { GateOptions, MembershipGateOptions, TeaserDetails } from './gates/gate-options.js';
export type { MembershipCriteria, MembershipPredicate, MembershipRule } from './gates/membership-rule.js';
export type { Outsider, OutsiderReason, UpgradeUrl } from './gates/outsider.js';
export { type Gate, type Latchkey, latchkey } from './latchkey.js';
export { LatchkeyError, type LatchkeyErrorCode } from './latchkey-error.js';
export {
  type PostgresPool,
  postgresLock,
} from './locks/postgres-lock.js';
export { type IoRedisClient, type NodeRedisClient, redisLock } from './locks/redis-lock.js';
export type { Logger } from './logger.js';
export type { LatchkeyOptions } from './options.js';
export { LatchkeyOptionsError, type OptionProblem } from './options-error.js';
export type {
  AwaitingDetails,
  ForbiddenDetails,
  ForbiddenReason,
  LatchkeyPages,
  SignInFailedDetails,
  SignInFailure,
} from './pages/latchkey-pages.js';
export type {
  RequestSession,
  SessionAccess,
  SignedInRequest,
  SignedInSession,
  SignedOutSession,
} from './request-session.js';
export type { SessionBody } from './routes/session.js';
export type { ExpressSessionStore, StoredSession } from './session/express-session-store.js';
export type { SessionLock } from './session/session-lock.js';
export type { ViewSession } from './view-session.js';
export type { EventClaim, WebhookEventStore } from './webhooks/event-store.js';
export { postgresEventStore } from './webhooks/postgres-event-store.js';
export { keepRawBody } from './webhooks/raw-body.js';
export { type IoRedisScripts, type NodeRedisScripts, redisEventStore } from './webhooks/redis-event-store.js';
export {
  isKnownWebhookEvent,
  type KnownWebhookEvent,
  type UnknownWebhookEvent,
  type WebhookEvent,
  type WebhookEventOf,
} from './webhooks/webhook-event.js';
export type {
  WebhookContext,
  WebhookHandler,
  WebhookHandlers,
  WebhookOptions,
} from './webhooks/webhook-options.js';
export { webhooks } from './webhooks/webhooks.js';
