import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery that the operator has captured: the bytes of its body and its headers. */
export interface CapturedDelivery {
  readonly body: Buffer;
  readonly signature: string;
  readonly eventId?: string | undefined;
}

/** Encoding of a signature, or undefined if it is none that the kit accepts. */
export type SignatureEncoding = 'hex' | 'base64' | 'base64url';

const PREFIX = /^sha256=/i;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;
const BASE64URL = /^[A-Za-z0-9_-]{43}=?$/;

/** Result of {@link verifyDelivery}. */
export type Verification =
  | { readonly kind: 'valid'; readonly encoding: SignatureEncoding; readonly hasPrefix: boolean }
  | { readonly kind: 'invalid'; readonly encoding: SignatureEncoding }
  | { readonly kind: 'unknown_encoding' };

/** Verifies a signature: HMAC-SHA256 of the body, keyed with the characters of the secret (spec, "Events", 4). */
export function verifyDelivery({ body, signature }: CapturedDelivery, secret: string): Verification {
  const text = signature.trim().replace(PREFIX, '');
  const encoding = encodingOf(text);
  if (encoding === undefined) return { kind: 'unknown_encoding' };
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(text, encoding === 'hex' ? 'hex' : 'base64');
  return timingSafeEqual(expected, given)
    ? { kind: 'valid', encoding, hasPrefix: PREFIX.test(signature.trim()) }
    : { kind: 'invalid', encoding };
}

/** Hex and base64 differ in length. Text that is valid in both alphabets of base64 counts as base64. */
function encodingOf(text: string): SignatureEncoding | undefined {
  if (HEX.test(text)) return 'hex';
  if (BASE64.test(text)) return 'base64';
  return BASE64URL.test(text) ? 'base64url' : undefined;
}
