import { createHmac } from 'node:crypto';
import type { WebhookHeaders } from '@latchkey/contract/constants';

/**
 * Signs a body by HMAC-SHA256, in lower-case hex. The key is the secret's 64 characters; the hex is not decoded (spec,
 * "Events", 4).
 */
export function signBody(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Returns the headers of a delivery (spec, "Events", 3). */
export function deliveryHeaders(
  event: { id: string; type: string },
  { body, secret, names }: { body: Buffer; secret: string; names: WebhookHeaders },
): Record<string, string | number> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': body.byteLength,
    'User-Agent': 'Latchkey-Webhooks/1',
    [names.signature]: signBody(body, secret),
    [names.eventType]: event.type,
    [names.eventId]: event.id,
  };
}
