import type { RequestHandler } from 'express';
import { receiveWebhooks } from './receive-webhook.js';
import { readWebhookOptions, type WebhookOptions } from './webhook-options.js';

/**
 * Receives the service's webhooks: `app.post('/webhooks', webhooks({ secret, on: { 'membership.created': handler } }))`.
 * It verifies the raw body, hands each event to its handler once, and answers in time. With `latchkey()`, take
 * `auth.webhooks(…)` instead, which also forgets what is remembered of the user's memberships.
 *
 * @throws LatchkeyOptionsError naming every option that cannot work, and the fix.
 */
export function webhooks(options: WebhookOptions): RequestHandler {
  return receiveWebhooks(readWebhookOptions(options));
}
