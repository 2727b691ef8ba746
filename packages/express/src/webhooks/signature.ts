import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import { WebhookVerificationError } from './webhook-verification-error.js';

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads a signature: 32 bytes as hex, base64 or base64url, told apart by their form, because the spec does not say
 * which it is ("Events", 7). No text is both: one has 64 characters, the others 43 or 44.
 * @throws WebhookVerificationError `signature_missing`, `signature_malformed`.
 */
export function parseSignature(signature: string | undefined): Buffer {
  if (signature === undefined || signature === '') {
    throw new WebhookVerificationError(
      'signature_missing',
      `There is no ${WEBHOOK_HEADERS.signature} header: this is not a delivery of the service, or something in between has dropped the header.`,
    );
  }
  if (HEX.test(signature)) return Buffer.from(signature, 'hex');
  // Node reads both alphabets of base64 alike.
  if (BASE64.test(signature)) return Buffer.from(signature, 'base64');
  throw new WebhookVerificationError(
    'signature_malformed',
    signature.includes(',')
      ? `${WEBHOOK_HEADERS.signature} was sent more than once.`
      : `${WEBHOOK_HEADERS.signature} has ${signature.length} characters and is neither hex (64) nor base64 (44) of an HMAC-SHA256.`,
  );
}

/**
 * Keys for HMAC out of secrets, which count as the characters that they are (spec, "Events", 4). Made once: Node takes a key
 * object several times as fast as the same bytes in a Buffer.
 */
export function signingKeys(secrets: readonly string[]): readonly KeyObject[] {
  return secrets.map((secret) => createSecretKey(secret, 'utf8'));
}

/**
 * True when one of the keys signed exactly these bytes. Each comparison takes the same time wherever the signatures
 * differ; which of your own secrets fits is none.
 */
export function isSignedBy(
  body: Uint8Array | string,
  signature: Buffer,
  keys: readonly KeyObject[],
): boolean {
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(body).digest();
    if (timingSafeEqual(expected, signature)) return true;
  }
  return false;
}
