import { type EnvelopeErrorCode, formatTimestamp, OAUTH_SERVER_ERROR } from '@latchkey/contract/constants';
import type { Request, Response } from 'express';
import type { Clock } from '../clock.js';
import { logUrlOf } from './log-url.js';
import { traceIdOf } from './trace-id.js';

/** Status and text of a failed request. */
export interface Failure {
  readonly status: number;
  /** Text for developers; safe to send to any caller. */
  readonly message: string;
  /** Link to the next step on a page. The caller has validated its address. */
  readonly link?: { readonly href: string; readonly label: string };
}

/** Sends a failure as an HTML page. */
export type SendFailurePage = (response: Response, failure: Failure) => void | Promise<void>;

/** Dependencies of {@link sendFailure}. */
export interface FailureNeeds extends TraceLog {
  readonly clock: Clock;
  readonly sendFailurePage: SendFailurePage;
}

interface TraceLog {
  /** URL template of the log of one request; contains `{traceId}`. */
  readonly logUrl: string | undefined;
}

/** Response format of a failure. The path decides it. */
type FailureShape = 'oauth' | 'envelope' | 'rejection' | 'page';

/** Error codes for single statuses. Other statuses use the code of their class, 4xx or 5xx. */
const ENVELOPE_CODES: Readonly<Record<number, EnvelopeErrorCode>> = { 503: 'service_unavailable' };

/** Sends a failure in the format of the endpoints below the same path. */
export function sendFailure(
  needs: FailureNeeds,
  { request, response }: { request: Request; response: Response },
  failure: Failure,
): void {
  const { status, message } = failure;
  const shape = shapeOf(request, status);
  if (shape === 'page') {
    void sendAsPage(needs.sendFailurePage, response, failure);
    return;
  }
  response.status(status).set('Cache-Control', 'no-store');
  if (shape === 'oauth') {
    const error = status >= 500 ? OAUTH_SERVER_ERROR : 'invalid_request';
    response.json({ error, error_description: message });
  } else if (shape === 'envelope') {
    const errorCode = ENVELOPE_CODES[status] ?? (status >= 500 ? 'internal_server_error' : 'bad_request');
    response.json(failureEnvelope(needs, request, { errorCode, message }));
  } else {
    const timestamp = formatTimestamp(needs.clock.now());
    response.json({ success: false, message, statusCode: status, timestamp, path: request.path });
  }
}

async function sendAsPage(send: SendFailurePage, response: Response, failure: Failure): Promise<void> {
  try {
    await send(response, failure);
  } catch (error) {
    response.destroy(error as Error);
  }
}

/** Returns the envelope of a failed call (spec, "Response envelope"). */
export function failureEnvelope(
  needs: TraceLog,
  request: Request,
  { errorCode, message }: { errorCode: EnvelopeErrorCode; message: string },
) {
  return { success: false, errorCode, message, ...traceFieldsOf(needs, request) };
}

/** Returns the trace fields of a failure. They are empty if the request has no trace id. */
export function traceFieldsOf({ logUrl }: TraceLog, request: Request) {
  const traceId = traceIdOf(request);
  if (traceId === undefined) return {};
  return { correlationKey: traceId, ...(logUrl !== undefined && { logUrl: logUrlOf(logUrl, traceId) }) };
}

function shapeOf(request: Request, status: number): FailureShape {
  const { path, method } = request;
  if (path === '/oauth/consent') return 'page';
  // Only `GET /oauth/client/{clientId}` uses the envelope. Other methods on this path use the OAuth format.
  if (/^\/oauth\/client\/[^/]+$/.test(path) && (method === 'GET' || method === 'HEAD')) return 'envelope';
  if (/^\/oauth(?:\/|$)/.test(path)) return 'oauth';
  // On API key paths, a 5xx is a failure of the endpoint. Any other failure is a rejection before the endpoint.
  if (/^\/(?:membership|api)(?:\/|$)/.test(path)) return status >= 500 ? 'envelope' : 'rejection';
  // Browsers list html in `Accept`. Programs that accept any type get JSON.
  return request.accepts(['json', 'html']) === 'html' ? 'page' : 'rejection';
}
