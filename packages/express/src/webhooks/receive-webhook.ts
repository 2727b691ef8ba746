import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import type { Request, RequestHandler, Response } from 'express';
import { ThrottledLog } from '../throttled-log.js';
import { Deadline } from './deadline.js';
import { type EventOutcome, handleEvent } from './handle-event.js';
import { type RawBody, readRawBody } from './raw-body.js';
import { parseSignature } from './signature.js';
import { headerReader, readSignedEnvelope, requireSignature } from './verify-webhook.js';
import { readEvent, type UnknownWebhookEvent, type WebhookEvent } from './webhook-event.js';
import type { WebhookSettings } from './webhook-options.js';
import { type WebhookRefusal, WebhookVerificationError } from './webhook-verification-error.js';

/** Hears of every event that was verified, before its handler does. */
export type VerifiedListener = (envelope: UnknownWebhookEvent) => void;

/**
 * Everything that a sender can hear. The bodies are fixed: who sends without a good signature learns nothing, and who
 * signs has the status.
 */
const ANSWERS = {
  200: 'Received.',
  400: 'Not a webhook delivery.',
  401: 'Not signed.',
  405: 'Webhooks are sent with POST.',
  408: 'Too slow.',
  413: 'Too large.',
  500: 'Not received.',
  503: 'Try again later.',
} as const;

const STATUS_OF: Record<EventOutcome, 200 | 500 | 503> = {
  handled: 200,
  duplicate: 200,
  running: 503,
  failed: 500,
  too_slow: 503,
  store_unavailable: 503,
};

/** Anybody can send what is refused, as often as they like. */
const REFUSAL_PAUSE_MS = 10_000;

/** A log for each kind of refusal, so that none of them drowns another. */
type RefusalLogs = (kind: WebhookRefusal | RawBody['kind']) => ThrottledLog;

function refusalLogs(settings: WebhookSettings): RefusalLogs {
  const logs = new Map<string, ThrottledLog>();
  return (kind) => {
    const log = logs.get(kind) ?? new ThrottledLog(settings, REFUSAL_PAUSE_MS);
    logs.set(kind, log);
    return log;
  };
}

/** The middleware behind `webhooks()`: it answers every request that it gets. */
export function receiveWebhooks(settings: WebhookSettings, onVerified?: VerifiedListener): RequestHandler {
  const refused = refusalLogs(settings);
  return (request, response) => {
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      return answer(response, 405, settings.maxBodyBytes);
    }
    const deadline = new Deadline(settings.timeoutMs);
    receive(request, { settings, deadline, onVerified, refused })
      .catch((error: unknown) => {
        settings.logger.error('A webhook could not be received.', { error: String(error) });
        return 500 as const;
      })
      .then((status) => {
        deadline.clear();
        if (status !== undefined && !response.destroyed && !response.headersSent)
          answer(response, status, settings.maxBodyBytes);
      });
  };
}

interface Receipt {
  settings: WebhookSettings;
  deadline: Deadline;
  onVerified: VerifiedListener | undefined;
  refused: RefusalLogs;
}

/** From the request to the status of its answer; undefined when nobody is there to hear it. */
async function receive(
  request: Request,
  { settings, deadline, onVerified, refused }: Receipt,
): Promise<keyof typeof ANSWERS | undefined> {
  const { keys, maxBodyBytes, handlerOf } = settings;
  let rawBody: Buffer;
  let envelope: UnknownWebhookEvent;
  let event: WebhookEvent;
  try {
    const headerOf = headerReader(request.headers);
    // Before the body is read: strangers shall not fill the memory.
    const signature = parseSignature(headerOf(WEBHOOK_HEADERS.signature));
    const body = await readRawBody(request, { maxBytes: maxBodyBytes, deadline });
    if (body.kind !== 'read') return unread(body, settings, refused(body.kind));
    rawBody = body.bytes;
    requireSignature(rawBody, signature, keys);
    envelope = readSignedEnvelope(rawBody, headerOf);
    onVerified?.(envelope);
    if (handlerOf(envelope.type) === undefined) return 200;
    event = readEvent(envelope);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const { code, message } = error;
    refused(code)[error.status === 500 ? 'error' : 'warn'](`A webhook was refused: ${message}`, { code });
    return error.status;
  }
  const outcome = await handleEvent(event, {
    ...settings,
    deadline,
    handler: (verified) =>
      // The table of handlers is typed by event type; which of them this is was decided by that very type.
      handlerOf(verified.type)?.(verified as never, { signal: deadline.signal, rawBody }),
  });
  return STATUS_OF[outcome];
}

function unread(
  body: Exclude<RawBody, { kind: 'read' }>,
  { maxBodyBytes, timeoutMs }: WebhookSettings,
  log: ThrottledLog,
): 408 | 413 | 500 | undefined {
  switch (body.kind) {
    case 'gone':
      return undefined;
    case 'consumed':
      log.error(`No webhook can be verified: ${body.explanation}`, {});
      return 500;
    case 'too_large':
      log.warn(`A webhook was refused: its body is larger than maxBodyBytes (${maxBodyBytes}).`, {});
      return 413;
    case 'too_slow':
      log.warn(`A webhook was refused: its body was not there after ${timeoutMs} ms.`, {});
      return 408;
  }
}

function answer(response: Response, status: keyof typeof ANSWERS, maxBodyBytes: number): void {
  // What a sender may still send of a body without an end in sight, nobody reads.
  const { 'transfer-encoding': encoding, 'content-length': length } = response.req.headers;
  const isEndless = encoding !== undefined || Number(length) > maxBodyBytes;
  if (status === 408 || (isEndless && !response.req.complete)) response.setHeader('Connection', 'close');
  if (status === 503) response.setHeader('Retry-After', '5');
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).type('text/plain').send(ANSWERS[status]);
}
