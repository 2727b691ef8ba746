import type { KeyObject } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import { LatchkeyOptionsError } from '../options-error.js';
import { isSignedBy, parseSignature, signingKeys } from './signature.js';
import { readEnvelope, readEvent, type UnknownWebhookEvent, type WebhookEvent } from './webhook-event.js';
import { readSecrets } from './webhook-secret.js';
import { WebhookVerificationError } from './webhook-verification-error.js';

/** Headers as `fetch` has them, or an object as Node, Lambda and others have them; names count without case. */
export type WebhookRequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The body exactly as it came over the wire. */
export type RawWebhookBody = Uint8Array | ArrayBuffer | string;

/**
 * Verifies a delivery and reads its event, in any framework: nothing here knows Express.
 *
 * ```ts
 * const event = verifyWebhook(await request.text(), request.headers, process.env.LATCHKEY_WEBHOOK_SECRET);
 * ```
 *
 * @param secrets The signing secret, or several while it is replaced.
 * @throws WebhookVerificationError with the `status` to answer; its message is for the log only.
 * @throws LatchkeyOptionsError for secrets that cannot be signing secrets.
 */
export function verifyWebhook(
  rawBody: RawWebhookBody,
  headers: WebhookRequestHeaders,
  secrets: string | readonly string[] | undefined,
): WebhookEvent {
  const headerOf = headerReader(headers);
  verifyWebhookSignature(rawBody, headerOf(WEBHOOK_HEADERS.signature), secrets);
  return readEvent(readSignedEnvelope(bytesOf(rawBody), headerOf));
}

/**
 * Verifies the signature of a body and parses nothing.
 *
 * @param signature What `X-Svc-Signature` says.
 * @throws WebhookVerificationError `signature_missing`, `signature_malformed`, `signature_mismatch`, `body_parsed`.
 * @throws LatchkeyOptionsError for secrets that cannot be signing secrets.
 */
export function verifyWebhookSignature(
  rawBody: RawWebhookBody,
  signature: string | undefined,
  secrets: string | readonly string[] | undefined,
): void {
  const keys = keysOf(secrets);
  requireSignature(bytesOf(rawBody), parseSignature(signature), keys);
}

/** An app has one webhook, or few: what was checked for the last delivery is not checked again for the next. */
let lastKeys: { secrets: readonly unknown[]; keys: readonly KeyObject[] } | undefined;

function keysOf(secrets: string | readonly string[] | undefined): readonly KeyObject[] {
  const given = typeof secrets === 'object' ? secrets : [secrets];
  if (
    lastKeys !== undefined &&
    lastKeys.secrets.length === given.length &&
    given.every((secret, index) => secret === lastKeys?.secrets[index])
  ) {
    return lastKeys.keys;
  }
  const read = readSecrets(typeof secrets === 'object' ? { secrets } : { secret: secrets });
  if ('problems' in read) throw new LatchkeyOptionsError(read.problems);
  const keys = signingKeys(read.secrets);
  // Copied: a list that its owner changes later is another.
  lastKeys = { secrets: [...read.secrets], keys };
  return keys;
}

/** @throws WebhookVerificationError `signature_mismatch`. */
export function requireSignature(
  body: Uint8Array | string,
  signature: Buffer,
  keys: readonly KeyObject[],
): void {
  if (isSignedBy(body, signature, keys)) return;
  throw new WebhookVerificationError(
    'signature_mismatch',
    `${WEBHOOK_HEADERS.signature} fits ${keys.length === 1 ? 'not the secret' : `none of the ${keys.length} secrets`} for these ${body.length} bytes. Is it the secret of this webhook? Has it been replaced at the service (give both as secrets for a while)? Does anything in between change the body?`,
  );
}

/**
 * Reads the event of a body that was verified. The signature covers the body alone, so what the headers say counts only
 * when the body says the same: a delivery that is sent again under another event id would otherwise pass as a new one.
 *
 * @throws WebhookVerificationError `header_missing`, `headers_mismatch`, `body_unreadable`.
 */
export function readSignedEnvelope(
  body: Uint8Array | string,
  headerOf: (name: string) => string | undefined,
): UnknownWebhookEvent {
  const [type, id] = [WEBHOOK_HEADERS.eventType, WEBHOOK_HEADERS.eventId].map((name) => {
    const value = headerOf(name);
    if (value !== undefined && value !== '') return value;
    throw new WebhookVerificationError('header_missing', `There is no ${name} header.`);
  });
  const envelope = readEnvelope(body);
  if (envelope.type === type && envelope.id === id) return envelope;
  throw new WebhookVerificationError(
    'headers_mismatch',
    `${WEBHOOK_HEADERS.eventType} and ${WEBHOOK_HEADERS.eventId} are not the type and id of the signed body: the headers were changed on the way, or a delivery is replayed under another id.`,
  );
}

/** Looks headers up by name; of a header that is there more than once it gives all, as HTTP would join them. */
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
    'The body must be the raw bytes or text of the request: one that was parsed cannot be verified, because writing it as JSON again gives other bytes.',
  );
}
