/** Webhooks without anything of Express at run time: for Hono, Next, Lambda and the rest. */
export type { WebhookEventType } from '@latchkey/contract/constants';
export type { PostgresPool } from './locks/postgres-lock.js';
export { LatchkeyOptionsError, type OptionProblem } from './options-error.js';
export type { EventClaim, WebhookEventStore } from './webhooks/event-store.js';
export { postgresEventStore } from './webhooks/postgres-event-store.js';
export { keepRawBody } from './webhooks/raw-body.js';
export { type IoRedisScripts, type NodeRedisScripts, redisEventStore } from './webhooks/redis-event-store.js';
export {
  type RawWebhookBody,
  verifyWebhook,
  verifyWebhookSignature,
  type WebhookRequestHeaders,
} from './webhooks/verify-webhook.js';
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
export { type WebhookRefusal, WebhookVerificationError } from './webhooks/webhook-verification-error.js';
export { webhooks } from './webhooks/webhooks.js';
