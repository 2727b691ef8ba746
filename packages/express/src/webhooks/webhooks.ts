import type { Middleware } from '../http/middleware.js';
import type { NoPayload, PayloadSchemas } from './payload-schema.js';
import { receiveWebhooks } from './receive-webhook.js';
import type { WebhookOptions } from './webhook-options.js';
import { readWebhookOptions } from './webhook-settings.js';

/**
 * Creates a handler for webhooks. It verifies the raw body, calls the handler of each event once, and responds within the
 * time limit of the service. With `latchkey()`, use `auth.webhooks(…)`, which also drops cached memberships of the user.
 * @throws LatchkeyOptionsError that lists every invalid option.
 * @example app.all('/webhooks', webhooks({ secret, on: { 'membership.created': handler } }));
 */
export function webhooks<Payload extends PayloadSchemas = NoPayload>(
  options: WebhookOptions<Payload>,
): Middleware {
  return receiveWebhooks(readWebhookOptions(options));
}
