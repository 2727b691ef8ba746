import { type EnvelopeErrorCode, formatTimestamp, OAUTH_SERVER_ERROR } from '@latchkey/contract';
import type { Request, Response } from 'express';
import type { Dependencies } from '../dependencies.js';
import { messagePage } from '../pages/index.js';
import { sendPage } from './page-response.js';
import { traceIdOf } from './trace-id.js';

/** A failure outside of what an endpoint itself decides: no such path, wrong method, unreadable body, our own fault. */
export interface Failure {
  status: number;
  /** For developers; safe to show to anybody. */
  message: string;
}

/** In which of the service's shapes a path fails. */
type FailureShape = 'oauth' | 'envelope' | 'rejection' | 'page';

/** Sends a failure in the shape of the surface that the path belongs to. */
export function sendFailure(
  { clock, sandbox }: Dependencies,
  { request, response }: { request: Request; response: Response },
  { status, message }: Failure,
): void {
  const shape = shapeOf(request);
  if (shape === 'page') {
    const html = messagePage({ ...pageWords(status, message), sandbox: sandbox !== undefined });
    sendPage(response, html, { status });
    return;
  }
  response.status(status).set('Cache-Control', 'no-store');
  if (shape === 'oauth') {
    const error = status >= 500 ? OAUTH_SERVER_ERROR : 'invalid_request';
    response.json({ error, error_description: message });
  } else if (shape === 'envelope') {
    response.json(failureEnvelope(request, status >= 500 ? 'internal_server_error' : 'bad_request', message));
  } else {
    const timestamp = formatTimestamp(clock.now());
    response.json({ success: false, message, statusCode: status, timestamp, path: request.path });
  }
}

/** The envelope of a failed call (spec, "Response envelope"); the trace id is there when the request carried one. */
export function failureEnvelope(request: Request, errorCode: EnvelopeErrorCode, message: string) {
  const correlationKey = traceIdOf(request);
  return { success: false, errorCode, message, ...(correlationKey !== undefined && { correlationKey }) };
}

function shapeOf(request: Request): FailureShape {
  const { path, method } = request;
  if (path === '/oauth/consent') return 'page';
  // The envelope belongs to the one endpoint that is `GET /oauth/client/{clientId}`, not to other methods there.
  if (/^\/oauth\/client\/[^/]+$/.test(path) && (method === 'GET' || method === 'HEAD')) return 'envelope';
  if (/^\/oauth(?:\/|$)/.test(path)) return 'oauth';
  if (/^\/(?:membership|api)(?:\/|$)/.test(path)) return 'rejection';
  return request.accepts(['html', 'json']) === 'html' ? 'page' : 'rejection';
}

function pageWords(status: number, message: string) {
  if (status === 404)
    return { title: 'There is nothing here', text: 'The address may be mistyped or out of date.' };
  if (status >= 500)
    return { title: 'Something went wrong on our side', text: 'Please try again in a moment.' };
  return { title: 'That did not work', text: message };
}
