import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import { WebhookVerificationError } from './webhook-verification-error.js';

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Decodes a signature of 32 bytes from hex, base64 or base64url. The spec does not name the encoding ("Events", 7). The
 * length tells them apart: 64 characters of hex, or 43 to 44 of base64.
 * @throws WebhookVerificationError `signature_missing`, `signature_malformed`.
 */
export function parseSignature(signature: string | undefined): Buffer {
  if (signature === undefined || signature === '') {
    throw new WebhookVerificationError(
      'signature_missing',
      `The ${WEBHOOK_HEADERS.signature} header is missing. The service did not send this request, or a proxy dropped the header.`,
    );
  }
  if (HEX.test(signature)) return Buffer.from(signature, 'hex');
  // Node decodes both alphabets of base64.
  if (BASE64.test(signature)) return Buffer.from(signature, 'base64');
  throw new WebhookVerificationError(
    'signature_malformed',
    signature.includes(',')
      ? `${WEBHOOK_HEADERS.signature} was sent more than once.`
      : `${WEBHOOK_HEADERS.signature} has ${signature.length} characters and is neither hex (64) nor base64 (44) of an HMAC-SHA256.`,
  );
}

/**
 * Creates an HMAC key. The characters of a secret are the key (spec, "Events", 4). Create it once: HMAC with a key object
 * is several times as fast as with a Buffer.
 */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8');
}

/**
 * Returns the key that signed exactly these bytes. Each comparison takes constant time, and all keys are compared, so the
 * time does not depend on which key matches.
 */
export function signerOf<Signer extends { readonly key: KeyObject }>(
  body: Uint8Array | string,
  signature: Buffer,
  signers: readonly Signer[],
): Signer | undefined {
  let found: Signer | undefined;
  for (const signer of signers) {
    const expected = createHmac('sha256', signer.key).update(body).digest();
    if (timingSafeEqual(expected, signature)) found = signer;
  }
  return found;
}
