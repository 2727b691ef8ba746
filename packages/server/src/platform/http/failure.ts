import { type EnvelopeErrorCode, formatTimestamp, OAUTH_SERVER_ERROR } from '@latchkey/contract';
import type { Request, Response } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import type { sendFailurePage } from '../../web/ui/failure-page.js';
import { logUrlOf } from './log-url.js';
import { traceIdOf } from './trace-id.js';

/** A failure outside of what an endpoint itself decides: no such path, wrong method, unreadable body, our own fault. */
export interface Failure {
  status: number;
  /** For developers; safe to show to anybody. */
  message: string;
}

/** In which of the service's shapes a path fails. */
type FailureShape = 'oauth' | 'envelope' | 'rejection' | 'page';

/** The codes of failures that are told apart; any other is told by its class. */
const ENVELOPE_CODES: Readonly<Record<number, EnvelopeErrorCode>> = { 503: 'service_unavailable' };

/** Sends a failure in the shape of the surface that the path belongs to. */
export function sendFailure(
  dependencies: Dependencies,
  { request, response }: { request: Request; response: Response },
  { status, message }: Failure,
): void {
  const { clock, sandbox } = dependencies;
  const shape = shapeOf(request, status);
  if (shape === 'page') {
    void sendAsPage(response, { status, message, isSandbox: sandbox !== undefined });
    return;
  }
  response.status(status).set('Cache-Control', 'no-store');
  if (shape === 'oauth') {
    const error = status >= 500 ? OAUTH_SERVER_ERROR : 'invalid_request';
    response.json({ error, error_description: message });
  } else if (shape === 'envelope') {
    const errorCode = ENVELOPE_CODES[status] ?? (status >= 500 ? 'internal_server_error' : 'bad_request');
    response.json(failureEnvelope(dependencies, request, { errorCode, message }));
  } else {
    const timestamp = formatTimestamp(clock.now());
    response.json({ success: false, message, statusCode: status, timestamp, path: request.path });
  }
}

/** Pages are loaded when there is one to be sent. */
async function sendAsPage(response: Response, failure: Parameters<typeof sendFailurePage>[1]): Promise<void> {
  try {
    const { sendFailurePage } = await import('../../web/ui/failure-page.js');
    sendFailurePage(response, failure);
  } catch (error) {
    response.destroy(error as Error);
  }
}

/** The envelope of a failed call (spec, "Response envelope"). */
export function failureEnvelope(
  dependencies: Dependencies,
  request: Request,
  { errorCode, message }: { errorCode: EnvelopeErrorCode; message: string },
) {
  return { success: false, errorCode, message, ...traceFieldsOf(dependencies, request) };
}

/** What a failure tells of its trace: nothing, unless the request carried a trace id. */
export function traceFieldsOf({ logUrl }: Dependencies, request: Request) {
  const traceId = traceIdOf(request);
  if (traceId === undefined) return {};
  return { correlationKey: traceId, ...(logUrl !== undefined && { logUrl: logUrlOf(logUrl, traceId) }) };
}

function shapeOf(request: Request, status: number): FailureShape {
  const { path, method } = request;
  if (path === '/oauth/consent') return 'page';
  // The envelope belongs to the one endpoint that is `GET /oauth/client/{clientId}`, not to other methods there.
  if (/^\/oauth\/client\/[^/]+$/.test(path) && (method === 'GET' || method === 'HEAD')) return 'envelope';
  if (/^\/oauth(?:\/|$)/.test(path)) return 'oauth';
  // Behind an API key our own faults are the endpoint's; everything else that ends here never reached one.
  if (/^\/(?:membership|api)(?:\/|$)/.test(path)) return status >= 500 ? 'envelope' : 'rejection';
  // Who takes anything is a program: browsers name html.
  return request.accepts(['json', 'html']) === 'html' ? 'page' : 'rejection';
}
