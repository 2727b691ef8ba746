import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import { LatchkeyOptionsError } from '../platform/options-error.js';
import { parseSignature, signerOf, signingKey } from './signature.js';
import {
  parseBody,
  readEnvelope,
  readEvent,
  type UnknownWebhookEvent,
  type WebhookEvent,
} from './webhook-event.js';
import { readSecrets } from './webhook-secret.js';
import type { SigningKey } from './webhook-source.js';
import { WebhookVerificationError } from './webhook-verification-error.js';

/** A `Headers` object of `fetch`, or a plain object as in Node or Lambda. Names are case-insensitive. */
export type WebhookRequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The unmodified body of the request. */
export type RawWebhookBody = Uint8Array | ArrayBuffer | string;

/**
 * Verifies a delivery and returns its event. Works in any framework.
 * @param secrets The signing secret, or several during its rotation.
 * @throws WebhookVerificationError with the `status` for the response. Its message is for the log only.
 * @throws LatchkeyOptionsError for invalid secrets.
 * @example
 * const event = verifyWebhook(await request.text(), request.headers, process.env.LATCHKEY_WEBHOOK_SECRET);
 */
export function verifyWebhook(
  rawBody: RawWebhookBody,
  headers: WebhookRequestHeaders,
  secrets: string | readonly string[] | undefined,
): WebhookEvent {
  const headerOf = headerReader(headers);
  verifyWebhookSignature(rawBody, headerOf(WEBHOOK_HEADERS.signature), secrets);
  return readEvent(readSignedEnvelope(parseBody(bytesOf(rawBody)), headerOf));
}

/**
 * Verifies the signature of a body without parsing it.
 * @param signature Value of the header `X-Svc-Signature`.
 * @throws WebhookVerificationError `signature_missing`, `signature_malformed`, `signature_mismatch`, `body_parsed`.
 * @throws LatchkeyOptionsError for invalid secrets.
 */
export function verifyWebhookSignature(
  rawBody: RawWebhookBody,
  signature: string | undefined,
  secrets: string | readonly string[] | undefined,
): void {
  const keys = keysOf(secrets);
  requireSignature(bytesOf(rawBody), parseSignature(signature), keys);
}

/** Keys of the last call. Most apps have one webhook, so its secrets are validated once. */
let lastKeys: { secrets: readonly unknown[]; keys: readonly SigningKey[] } | undefined;

function keysOf(secrets: string | readonly string[] | undefined): readonly SigningKey[] {
  const list = typeof secrets === 'object' ? secrets : [secrets];
  if (
    lastKeys !== undefined &&
    lastKeys.secrets.length === list.length &&
    list.every((secret, index) => secret === lastKeys?.secrets[index])
  ) {
    return lastKeys.keys;
  }
  const read = readSecrets(typeof secrets === 'object' ? { secrets } : { secret: secrets });
  if (read.kind === 'invalid') throw new LatchkeyOptionsError(read.problems);
  const keys = read.secrets.map((secret) => ({ key: signingKey(secret), source: undefined }));
  // Copied, because the caller may change its list later.
  lastKeys = { secrets: [...read.secrets], keys };
  return keys;
}

/**
 * Returns the key that signed a body.
 * @throws WebhookVerificationError `signature_mismatch`.
 */
export function requireSignature(
  body: Uint8Array | string,
  signature: Buffer,
  keys: readonly SigningKey[],
): SigningKey {
  const signer = signerOf(body, signature, keys);
  if (signer !== undefined) return signer;
  throw new WebhookVerificationError(
    'signature_mismatch',
    `${WEBHOOK_HEADERS.signature} does not match ${keys.length === 1 ? 'the secret' : `any of the ${keys.length} secrets`} for these ${body.length} bytes. Check that the secret belongs to this webhook, and that no proxy changes the body. If the secret was rotated, pass both for a while.`,
  );
}

/**
 * Reads the common fields of a verified body and compares them with the headers. The signature covers only the body. Without the comparison, a
 * replayed delivery with another event id in its header would count as a new event.
 * @throws WebhookVerificationError `header_missing`, `headers_mismatch`, `body_unreadable`.
 */
export function readSignedEnvelope(
  body: unknown,
  headerOf: (name: string) => string | undefined,
): UnknownWebhookEvent {
  const [type, id] = [WEBHOOK_HEADERS.eventType, WEBHOOK_HEADERS.eventId].map((name) => {
    const value = headerOf(name);
    if (value !== undefined && value !== '') return value;
    throw new WebhookVerificationError('header_missing', `The ${name} header is missing.`);
  });
  const envelope = readEnvelope(body);
  if (envelope.type === type && envelope.id === id) return envelope;
  throw new WebhookVerificationError(
    'headers_mismatch',
    `${WEBHOOK_HEADERS.eventType} and ${WEBHOOK_HEADERS.eventId} differ from the type and id of the signed body. The headers were changed in transit, or a delivery was replayed under another id.`,
  );
}

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

function bytesOf(rawBody: unknown): Uint8Array | string {
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new WebhookVerificationError(
    'body_parsed',
    'The body must be the raw bytes or text of the request. A parsed body cannot be verified, because serializing it again gives other bytes.',
  );
}
