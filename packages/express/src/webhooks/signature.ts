import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { WebhookVerificationError } from './webhook-verification-error.js';

const PREFIX = /^sha256=/i;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{43}|[A-Za-z0-9_-]{43})=?$/;

/**
 * Decodes a signature of 32 bytes: hex in any letter case, base64 or base64url with or without padding, each with or
 * without the prefix `sha256=`. The spec does not name the encoding ("Events", 7). The length tells the encodings apart.
 * @param header The header in the text of an error.
 * @throws WebhookVerificationError `signature_missing`, `signature_malformed`.
 */
export function parseSignature(signature: string | undefined, header: string): Buffer {
  if (signature === undefined || signature === '') {
    throw new WebhookVerificationError(
      'signature_missing',
      `${header} is missing. The service did not send this request, a proxy dropped the header, or the service uses another name: set serviceNames.headerPrefix.`,
    );
  }
  if (HEX.test(signature)) return Buffer.from(signature, 'hex');
  const digest = signature.replace(PREFIX, '');
  if (HEX.test(digest)) return Buffer.from(digest, 'hex');
  // Node decodes both alphabets of base64.
  if (BASE64.test(digest)) return Buffer.from(digest, 'base64');
  throw new WebhookVerificationError(
    'signature_malformed',
    signature.includes(',')
      ? `${header} was sent more than once.`
      : `${header} has ${signature.length} characters. It is neither hex (64) nor base64 (43 or 44) of an HMAC-SHA256, with or without the prefix sha256=.`,
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
 * Returns the key that signed exactly these bytes.
 * @throws WebhookVerificationError `signature_mismatch`.
 */
export function requireSignature<Signer extends { readonly key: KeyObject }>(
  body: Uint8Array,
  { signature, keys, header }: { signature: Buffer; keys: readonly Signer[]; header: string },
): Signer {
  const signer = signerOf(body, signature, keys);
  if (signer !== undefined) return signer;
  throw new WebhookVerificationError(
    'signature_mismatch',
    `${header} does not match ${keys.length === 1 ? 'the secret' : `any of the ${keys.length} secrets`} for these ${body.length} bytes. Check that the secret belongs to this webhook, and that no proxy changes the body. If the secret was rotated, pass both for a while.`,
  );
}

/**
 * Each comparison takes constant time, and all keys are compared, so the time does not depend on which key matches.
 */
function signerOf<Signer extends { readonly key: KeyObject }>(
  body: Uint8Array,
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
