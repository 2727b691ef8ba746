import { createHmac } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';

/**
 * The signature of a body: HMAC-SHA256 in lower-case hex, keyed with the secret's 64 characters as they stand, not
 * with the bytes that they write (spec, "Events", 4).
 */
export function signBody(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** The headers of a delivery (spec, "Events", 3), for exactly this body. */
export function deliveryHeaders(
  event: { id: string; type: string },
  { body, secret }: { body: Buffer; secret: string },
): Record<string, string | number> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': body.byteLength,
    'User-Agent': 'Latchkey-Webhooks/1',
    [WEBHOOK_HEADERS.signature]: signBody(body, secret),
    [WEBHOOK_HEADERS.eventType]: event.type,
    [WEBHOOK_HEADERS.eventId]: event.id,
  };
}
