import type { Request, Response } from 'express';
import { type Middleware, middleware } from '../http/middleware.js';
import { ThrottledLog } from '../platform/log.js';
import { Deadline } from './deadline.js';
import { type EventResult, handleEvent } from './handle-event.js';
import { encodingsOf, type RawBody, readRawBody } from './raw-body.js';
import { eventTypeOf, type HeaderReader, parseBody, readEvent, withPayload } from './read-event.js';
import { OtherSources, recordMembership } from './record-membership.js';
import {
  headerReader,
  parseSignature,
  requireSignature,
  type WebhookErrorCode,
  WebhookVerificationError,
} from './signature.js';
import type { NoPayload, PayloadSchemas, WebhookEvent } from './webhook-event.js';
import type { WebhookOptions } from './webhook-options.js';
import type { WebhookSource } from './webhook-secrets.js';
import { readWebhookOptions, type WebhookSettings } from './webhook-settings.js';

/**
 * Creates a handler for webhooks. It verifies the raw body, calls the handler of each event once, and responds within
 * the time limit of the service. With `latchkey()`, use `auth.webhooks(…)`, which also drops the user's cached
 * memberships.
 * @throws LatchkeyOptionsError that lists every invalid option.
 * @example app.all('/webhooks', webhooks({ secret, on: { 'membership.created': handler } }));
 */
export function webhooks<Payload extends PayloadSchemas = NoPayload>(
  options: WebhookOptions<Payload>,
): Middleware {
  // Without options, as from JavaScript, the message says what is required.
  return receiveWebhooks(readWebhookOptions({ ...options }));
}

/** A verified delivery, with or without a handler. */
interface VerifiedDelivery {
  /** Event type in the header. */
  readonly type: string;
  /** Event id in the header. */
  readonly id: string;
  /** The parsed JSON of the signed body. Undefined if it's empty or not JSON. */
  readonly body: unknown;
  /** Community or product with the secret that signed the body. Undefined with the options `secret` and `secrets`. */
  readonly source: WebhookSource | undefined;
}

/** Called for every verified delivery, after its membership is recorded and before its handler. */
type VerifiedListener = (delivery: VerifiedDelivery) => void;

/** Response bodies by status. They're constant, so a sender without a valid signature learns nothing from them. */
const RESPONSES = {
  200: 'Received.',
  400: 'Not a webhook delivery.',
  401: 'Not signed.',
  408: 'Too slow.',
  413: 'Too large.',
  415: 'Encoding not supported.',
  500: 'Not received.',
  503: 'Try again later.',
} as const;

const STATUS_OF: Record<EventResult, 200 | 500 | 503> = {
  handled: 200,
  duplicate: 200,
  running: 503,
  failed: 500,
  too_slow: 503,
  store_unavailable: 503,
};

/** Pause between two log messages of a kind, in milliseconds. Anyone can send any number of requests that are rejected. */
const REJECTION_LOG_PAUSE_MS = 10_000;

/** One throttled log for each kind of rejection, so a frequent kind doesn't hide the others. */
type RejectionLogs = (kind: RejectionKind) => ThrottledLog;
type RejectionKind =
  | WebhookErrorCode
  | RawBody['kind']
  | 'membership_ambiguous'
  | 'membership_missing'
  | 'source_ignored';

function rejectionLogs(settings: WebhookSettings): RejectionLogs {
  const logs = new Map<string, ThrottledLog>();
  return (kind) => {
    const log = logs.get(kind) ?? new ThrottledLog(settings, REJECTION_LOG_PAUSE_MS);
    logs.set(kind, log);
    return log;
  };
}

/** Creates the handler of `webhooks()`. It responds to every request. */
export function receiveWebhooks(settings: WebhookSettings, onVerified?: VerifiedListener): Middleware {
  const logs = rejectionLogs(settings);
  const otherSources = new OtherSources(settings.clock);
  return middleware((request, response) => {
    const deadline = new Deadline(settings.timeoutMs);
    receive(request, { settings, deadline, onVerified, otherSources, logs })
      .catch((error: unknown) => {
        settings.logger.error('webhook_failed', 'A webhook could not be received.', {
          error: String(error),
        });
        return 500 as const;
      })
      .then((status) => {
        deadline.clear();
        if (status !== undefined && !response.destroyed && !response.headersSent)
          send(response, status, settings.maxBodyBytes);
      });
  });
}

interface ReceiveOptions {
  settings: WebhookSettings;
  deadline: Deadline;
  onVerified: VerifiedListener | undefined;
  otherSources: OtherSources;
  logs: RejectionLogs;
}

/** Processes a request. Resolves with the status of the response, or undefined if the connection closed. */
async function receive(
  request: Request,
  options: ReceiveOptions,
): Promise<keyof typeof RESPONSES | undefined> {
  const { settings, deadline, logs } = options;
  const { keys, headers, maxBodyBytes, handlerOf } = settings;
  let accepted: Accepted;
  try {
    const headerOf = headerReader(request.headers);
    // Checked before the body is read, so unsigned requests take no memory.
    const signature = parseSignature(headerOf(headers.signature), headers.signature);
    const body = await readRawBody(request, { maxBytes: maxBodyBytes, deadline });
    if (body.kind !== 'read') return statusOfUnreadBody(body, settings, logs(body.kind));
    const encodings = encodingsOf(request.headers);
    const isEncoded = encodings.encoding !== '' || encodings.charset !== '';
    const hint = isEncoded
      ? ' The body was sent compressed or in another charset. Mount webhooks() above body parsers, and let no proxy compress it.'
      : '';
    const { source } = requireSignature(body.bytes, { signature, keys, header: headers.signature, hint });
    // Without its content, a handler could only lose the event. The service sends it again.
    if (isEncoded && body.decoded.length > 0 && parseBody(body.decoded) === undefined)
      return statusOfUnreadBody(
        { kind: 'encoding_unknown', ...encodings },
        settings,
        logs('encoding_unknown'),
      );
    const read = await accept({ raw: body.decoded, source, headerOf }, options);
    if (typeof read === 'number') return read;
    accepted = read;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const { code, message } = error;
    logs(code)[error.status === 500 ? 'error' : 'warn'](code, `A webhook was rejected. ${message}`, { code });
    return error.status;
  }
  const { event, source } = accepted;
  const result = await handleEvent(event, {
    ...settings,
    source,
    deadline,
    handler: (verified) =>
      // The event type selected the handler. The table's type can't express that.
      handlerOf(verified.type)?.(verified as never, { signal: deadline.signal, source }),
  });
  return STATUS_OF[result];
}

interface Accepted {
  event: WebhookEvent;
  source: WebhookSource | undefined;
}

/**
 * Records the membership of a signed delivery, and reads its event. Resolves with a status if nothing has to be handled.
 * @throws WebhookVerificationError if the event must not be handled.
 */
async function accept(
  { raw, source, headerOf }: { raw: Buffer; source: WebhookSource | undefined; headerOf: HeaderReader },
  { settings, deadline, onVerified, otherSources, logs }: ReceiveOptions,
): Promise<Accepted | 200 | 503> {
  const receivedAt = settings.clock.now();
  const body = parseBody(raw);
  if (source !== undefined) {
    // The signature doesn't cover the header, so the type in the body takes precedence.
    const stated = settings.eventIdOf === undefined ? eventTypeOf(body) : undefined;
    const type = stated ?? headerOf(settings.headers.eventType) ?? '';
    const recorded = await recordMembership(
      { type, body, source },
      { settings, deadline, otherSources, logs },
    );
    // The id isn't marked as done: the other source's webhook can deliver the same event, with its own secret.
    if (recorded === 'other_source') return 200;
    if (recorded === 'directory_unavailable') return 503;
  }
  const event = readEvent({ body, raw, receivedAt }, headerOf, settings);
  onVerified?.({ type: event.type, id: event.id, body, source });
  if (!settings.hasHandlers) return 200;
  // An event without a handler is marked as done too: its type isn't signed, so a replay could have another one.
  const isHandled = settings.handlerOf(event.type) !== undefined;
  return { event: isHandled ? withPayload(event, settings) : event, source };
}

function statusOfUnreadBody(
  body: Exclude<RawBody, { kind: 'read' }>,
  { maxBodyBytes, timeoutMs }: WebhookSettings,
  log: ThrottledLog,
): 408 | 413 | 415 | 500 | undefined {
  switch (body.kind) {
    case 'closed':
      return undefined;
    case 'consumed':
      log.error('body_parsed', `Webhooks cannot be verified. ${body.explanation}`);
      return 500;
    case 'too_large':
      log.warn(
        'body_too_large',
        `A webhook was rejected. Its body is larger than maxBodyBytes (${maxBodyBytes}).`,
      );
      return 413;
    case 'encoding_unknown':
      log.warn(
        'body_encoding',
        `A webhook was rejected. Its body can't be decoded. Its Content-Encoding is "${body.encoding || 'identity'}", its charset "${body.charset || 'utf-8'}". Send JSON in UTF-8, uncompressed or with gzip, deflate or br.`,
      );
      return 415;
    case 'too_slow':
      log.warn('body_too_slow', `A webhook was rejected. Its body did not arrive within ${timeoutMs} ms.`);
      return 408;
  }
}

function send(response: Response, status: keyof typeof RESPONSES, maxBodyBytes: number): void {
  // The rest of the body isn't read, so the connection is closed if it may be large.
  const { 'transfer-encoding': encoding, 'content-length': length } = response.req.headers;
  const mayBeLarge = encoding !== undefined || Number(length) > maxBodyBytes;
  if (status === 408 || (mayBeLarge && !response.req.complete)) response.setHeader('Connection', 'close');
  if (status === 503) response.setHeader('Retry-After', '5');
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).type('text/plain').send(RESPONSES[status]);
}
