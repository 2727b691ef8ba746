/** Webhooks without a run-time dependency on Express, for example for Hono, Next.js or Lambda. */
export type { ServiceNamesOption, WebhookEventType } from '@latchkey/contract/constants';
export { LatchkeyOptionsError, type OptionProblem } from '../platform/options-error.js';
export type { PostgresPool } from '../platform/postgres.js';
export type { IoRedisScripts, NodeRedisScripts } from '../platform/redis.js';
export type { EventClaim, WebhookEventStore } from './event-stores/event-store.js';
export { postgresEventStore } from './event-stores/postgres-event-store.js';
export { redisEventStore } from './event-stores/redis-event-store.js';
export type {
  NoPayload,
  PayloadOf,
  PayloadResult,
  PayloadSchema,
  PayloadSchemas,
} from './payload-schema.js';
export { keepRawBody } from './raw-body.js';
export type { EventIdReader } from './read-event.js';
export type { MembershipReader, WebhookDelivery, WebhookMembership } from './read-membership.js';
export { type ReferencePayload, referencePayload } from './reference-payload.js';
export type { WebhookRequestHeaders } from './request-headers.js';
export {
  type RawWebhookBody,
  type VerifyWebhookOptions,
  verifyWebhook,
  verifyWebhookSignature,
} from './verify-webhook.js';
export {
  type AnyWebhookEvent,
  isKnownWebhookEvent,
  type KnownWebhookEvent,
  type WebhookEvent,
  type WebhookEventOf,
} from './webhook-event.js';
export type {
  WebhookContext,
  WebhookHandler,
  WebhookHandlers,
  WebhookOptions,
} from './webhook-options.js';
export type { SecretsById, WebhookSource } from './webhook-source.js';
export { type WebhookErrorCode, WebhookVerificationError } from './webhook-verification-error.js';
export { webhooks } from './webhooks.js';
