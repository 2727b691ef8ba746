/** Webhooks without a runtime dependency on Express, for example for Hono, Next.js or Lambda. */
export type { ServiceNamesOption, WebhookEventType } from '@latchkey/contract/constants';
export { LatchkeyOptionsError, type OptionProblem } from '../platform/errors.js';
export type { EventClaim, WebhookEventStore } from '../stores/kit-store.js';
export type { PostgresPool } from '../stores/postgres.js';
export { postgresEventStore } from '../stores/postgres.js';
export type { IoRedisScripts, NodeRedisScripts } from '../stores/redis.js';
export { redisEventStore } from '../stores/redis.js';
export { keepRawBody } from './raw-body.js';
export type { EventIdReader } from './read-event.js';
export type { MembershipReader, WebhookDelivery, WebhookMembership } from './read-membership.js';
export { webhooks } from './receive-webhook.js';
export type { WebhookRequestHeaders } from './signature.js';
export { type WebhookErrorCode, WebhookVerificationError } from './signature.js';
export {
  type RawWebhookBody,
  type VerifyWebhookOptions,
  verifyWebhook,
  verifyWebhookSignature,
} from './verify-webhook.js';
export type {
  NoPayload,
  PayloadOf,
  PayloadResult,
  PayloadSchema,
  PayloadSchemas,
} from './webhook-event.js';
export {
  type AnyWebhookEvent,
  isKnownWebhookEvent,
  type KnownWebhookEvent,
  type ReferencePayload,
  referencePayload,
  type WebhookEvent,
  type WebhookEventOf,
} from './webhook-event.js';
export type {
  WebhookContext,
  WebhookHandler,
  WebhookHandlers,
  WebhookOptions,
} from './webhook-options.js';
export type { SecretsById, WebhookSource } from './webhook-secrets.js';
