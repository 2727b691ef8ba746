import {
  DEFAULT_SERVICE_NAMES,
  type ServiceNames,
  type ServiceNamesOption,
  webhookHeadersOf,
} from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../platform/clock.js';
import { readReporting } from '../platform/errors.js';
import { type EventIdReader, parseBody, readEvent, withPayload } from './read-event.js';
import {
  headerReader,
  parseSignature,
  requireSignature,
  signingKey,
  type WebhookRequestHeaders,
  WebhookVerificationError,
} from './signature.js';
import { type AnyWebhookEvent, checkPayload, type NoPayload, type PayloadSchemas } from './webhook-event.js';
import { readServiceNames, type Secrets, type SigningKey, secretReaders } from './webhook-secrets.js';

/** The request's unmodified body. */
export type RawWebhookBody = Uint8Array | ArrayBuffer | string;

/** Options of {@link verifyWebhook}. They mean the same as for `webhooks()`. */
export interface VerifyWebhookOptions<Payload extends PayloadSchemas = NoPayload> {
  /** Schemas of the bodies, by event type. {@link isKnownWebhookEvent} then narrows the event to typed bodies. */
  payload?: Payload | undefined;
  /** The service's names, for its header prefix. */
  serviceNames?: ServiceNamesOption | undefined;
  /** Reads the event id in the body, in place of the default reader. */
  eventIdOf?: EventIdReader | undefined;
  /**
   * Clock of `receivedAt`.
   * @default the system clock
   */
  clock?: Clock | undefined;
}

/**
 * Verifies a delivery and returns its event. Works in any framework.
 * @param secrets the signing secret, or several while you rotate it.
 * @throws WebhookVerificationError with the `status` for the response. Its message is for your log only.
 * @throws LatchkeyOptionsError for invalid secrets or options.
 * @example
 * const event = verifyWebhook(await request.text(), request.headers, process.env.LATCHKEY_WEBHOOK_SECRET);
 */
export function verifyWebhook<Payload extends PayloadSchemas = NoPayload>(
  rawBody: RawWebhookBody,
  requestHeaders: WebhookRequestHeaders,
  secrets: Secrets,
  { payload, serviceNames, eventIdOf, clock = systemClock }: VerifyWebhookOptions<Payload> = {},
): AnyWebhookEvent<Payload> {
  const names = namesOf({ payload, serviceNames });
  const headers = webhookHeadersOf(names);
  const keys = keysOf(secrets, names.apiKeyPrefix);
  const headerOf = headerReader(requestHeaders);
  const signature = parseSignature(headerOf(headers.signature), headers.signature);
  const raw = bytesOf(rawBody);
  requireSignature(raw, { signature, keys, header: headers.signature });
  const reader = { headers, eventIdOf, payload };
  const event = readEvent({ body: parseBody(raw), raw, receivedAt: clock.now() }, headerOf, reader);
  return withPayload(event, reader);
}

/**
 * Verifies the signature of a body without parsing it.
 * @param signature value of the header `X-Svc-Signature`, whatever your service calls it.
 * @throws WebhookVerificationError `signature_missing`, `signature_malformed`, `signature_mismatch`, `body_parsed`.
 * @throws LatchkeyOptionsError for invalid secrets.
 */
export function verifyWebhookSignature(
  rawBody: RawWebhookBody,
  signature: string | undefined,
  secrets: Secrets,
): void {
  const keys = keysOf(secrets, DEFAULT_SERVICE_NAMES.apiKeyPrefix);
  const header = 'The signature header';
  requireSignature(bytesOf(rawBody), { signature: parseSignature(signature, header), keys, header });
}

/** Validates options where mistakes would otherwise only show at the first delivery of some type. */
function namesOf({ payload, serviceNames }: VerifyWebhookOptions<PayloadSchemas>): ServiceNames {
  if (payload === undefined && serviceNames === undefined) return DEFAULT_SERVICE_NAMES;
  return readReporting((report) => {
    checkPayload(payload, report);
    return readServiceNames(serviceNames, report);
  });
}

/** Keys of the last call. Most apps have one webhook, and its secrets are then validated only once. */
let lastKeys: { secrets: readonly unknown[]; keys: readonly SigningKey[] } | undefined;

function keysOf(secrets: Secrets, apiKeyPrefix: string): readonly SigningKey[] {
  const list = typeof secrets === 'object' ? secrets : [secrets];
  if (
    lastKeys !== undefined &&
    lastKeys.secrets.length === list.length &&
    list.every((secret, index) => secret === lastKeys?.secrets[index])
  ) {
    return lastKeys.keys;
  }
  const rejectsPublished = process.env.NODE_ENV === 'production';
  const read = readReporting((report) =>
    secretReaders({ apiKeyPrefix, rejectsPublished }, report).readSecrets(
      typeof secrets === 'object' ? { secrets } : { secret: secrets },
    ),
  );
  const keys = read.map((secret) => ({ key: signingKey(secret), source: undefined }));
  lastKeys = { secrets: read, keys };
  return keys;
}

function bytesOf(rawBody: unknown): Buffer {
  // Most frameworks pass a Buffer, which can be used as it is.
  if (Buffer.isBuffer(rawBody)) return rawBody;
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (rawBody instanceof ArrayBuffer) return Buffer.from(rawBody);
  if (rawBody instanceof Uint8Array)
    return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new WebhookVerificationError(
    'body_parsed',
    'The body must be the raw bytes or text of the request. A parsed body cannot be verified, because serializing it again gives other bytes.',
  );
}
