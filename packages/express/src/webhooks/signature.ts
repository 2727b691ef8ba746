import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { docsUrl } from '@latchkey/contract/constants';

/**
 * Codes of {@link WebhookVerificationError}:
 * - `signature_missing` (401): the request has no signature.
 * - `signature_malformed` (401): the signature is neither hex nor base64 of 32 bytes, or was sent several times.
 * - `signature_mismatch` (401): none of the secrets created the signature.
 * - `header_missing` (400): signed, but without event type or id.
 * - `header_malformed` (400): signed, but event type or id was sent several times.
 * - `headers_mismatch` (400): signed, but event type or id differ from the body's.
 * - `event_id_unreadable` (500): the option `eventIdOf` failed.
 * - `payload_unreadable` (500): the schema in the option `payload` doesn't accept the body. The service delivers it
 *   again, so it can be handled once you correct the schema.
 * - `source_mismatch` (500): the body is about a different community or product than its secret, and this secret has
 *   never signed an event of its own source. Only `webhooks()` checks this. The service delivers it again, so it can be
 *   handled once you correct the secrets. After an hour, or once the secret is known to be right, such events receive
 *   200 and are dropped.
 * - `membership_unreadable` (500): the option `readMembership` failed.
 * - `body_parsed` (500): the raw body isn't available. The app has to be fixed.
 */
export type WebhookErrorCode =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'header_missing'
  | 'header_malformed'
  | 'headers_mismatch'
  | 'event_id_unreadable'
  | 'payload_unreadable'
  | 'source_mismatch'
  | 'membership_unreadable'
  | 'body_parsed';

const STATUS: Record<WebhookErrorCode, 400 | 401 | 500> = {
  signature_missing: 401,
  signature_malformed: 401,
  signature_mismatch: 401,
  header_missing: 400,
  header_malformed: 400,
  headers_mismatch: 400,
  event_id_unreadable: 500,
  payload_unreadable: 500,
  source_mismatch: 500,
  membership_unreadable: 500,
  body_parsed: 500,
};

/** Thrown for a delivery that must not be handled. The message is for your log, not for the sender. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;
  /** HTTP status for the response. */
  readonly status: 400 | 401 | 500;
  /** URL of the code's entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs: string;

  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUS[code];
    this.docs = docsUrl('troubleshooting', code);
  }
}

/** A `Headers` object from `fetch`, or a plain object as in Node.js or Lambda. Names are case-insensitive. */
export type WebhookRequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns a function that reads headers by name. Repeated headers are joined by commas, as in HTTP. */
export function headerReader(headers: WebhookRequestHeaders): (name: string) => string | undefined {
  const { get } = headers;
  if (typeof get === 'function') return (name) => get.call(headers, name) ?? undefined;
  const fields = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  return (name) => {
    const wanted = name.toLowerCase();
    const exact = fields[wanted];
    if (typeof exact === 'string') return exact;
    const values = Object.entries(fields).flatMap(([key, value]) =>
      key.toLowerCase() === wanted ? (value ?? []) : [],
    );
    return values.length === 0 ? undefined : values.join(', ');
  };
}

const PREFIX = /^sha256=/i;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{43}|[A-Za-z0-9_-]{43})=?$/;

/**
 * Decodes a signature of 32 bytes: hex in any letter case, base64 or base64url with or without padding, each with or
 * without the prefix `sha256=`. The spec doesn't say which encoding ("Events", 7). The length tells them apart.
 * @param header name of the header, for error messages.
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
  // Node.js decodes both base64 alphabets.
  if (BASE64.test(digest)) return Buffer.from(digest, 'base64');
  throw new WebhookVerificationError(
    'signature_malformed',
    signature.includes(',')
      ? `${header} was sent more than once.`
      : `${header} has ${signature.length} characters. It is neither hex (64) nor base64 (43 or 44) of an HMAC-SHA256, with or without the prefix sha256=.`,
  );
}

/**
 * Creates an HMAC key from the characters of a secret (spec, "Events", 4). Create it once: HMAC with a key object is
 * several times as fast as with a Buffer.
 */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8');
}

/**
 * Returns the key that signed exactly these bytes.
 * @param hint ends the error message, if the request shows a probable cause.
 * @throws WebhookVerificationError `signature_mismatch`.
 */
export function requireSignature<Signer extends { readonly key: KeyObject }>(
  body: Uint8Array,
  {
    signature,
    keys,
    header,
    hint = '',
  }: { signature: Buffer; keys: readonly Signer[]; header: string; hint?: string },
): Signer {
  const signer = signerOf(body, signature, keys);
  if (signer !== undefined) return signer;
  throw new WebhookVerificationError(
    'signature_mismatch',
    `${header} does not match ${keys.length === 1 ? 'the secret' : `any of the ${keys.length} secrets`} for these ${body.length} bytes. Check that the secret belongs to this webhook, and that no proxy changes the body. If the secret was rotated, pass both for a while.${hint}`,
  );
}

/** Each comparison takes constant time, and all keys are compared, so the time doesn't depend on which key matches. */
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
