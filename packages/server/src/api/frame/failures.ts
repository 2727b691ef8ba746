import { type EnvelopeErrorCode, formatTimestamp, OAUTH_SERVER_ERROR } from '@latchkey/contract/constants';
import type { Request } from 'express';
import type { Needs } from '../../app/services.js';
import type { FailureFormat } from '../../platform/http/http-failure.js';
import { logUrlOf, traceIdOf } from '../../platform/http/request-log.js';

/** Error codes for single statuses. Other statuses use the code of their class, 4xx or 5xx. */
const ENVELOPE_CODES: Readonly<Record<number, EnvelopeErrorCode>> = { 503: 'service_unavailable' };

export const oauthFailure: FailureFormat = ({ status, message }, _request, response) => {
  const error = status >= 500 ? OAUTH_SERVER_ERROR : 'invalid_request';
  response.status(status).set('Cache-Control', 'no-store').json({ error, error_description: message });
};

export function envelopeFailure(needs: Needs<'logUrl'>): FailureFormat {
  return ({ status, message }, request, response) => {
    const errorCode = ENVELOPE_CODES[status] ?? (status >= 500 ? 'internal_server_error' : 'bad_request');
    const body = failureEnvelope(needs, request, { errorCode, message });
    response.status(status).set('Cache-Control', 'no-store').json(body);
  };
}

/** Sends the rejection of a request that didn't reach its endpoint (spec, "Errors / Shapes"). */
export function rejection({ clock }: Needs<'clock'>): FailureFormat {
  return ({ status, message }, request, response) => {
    const timestamp = formatTimestamp(clock.now());
    const body = { success: false, message, statusCode: status, timestamp, path: request.path };
    response.status(status).set('Cache-Control', 'no-store').json(body);
  };
}

export function failureEnvelope(
  needs: Needs<'logUrl'>,
  request: Request,
  { errorCode, message }: { errorCode: EnvelopeErrorCode; message: string },
) {
  return { success: false, errorCode, message, ...traceFieldsOf(needs, request) };
}

export function traceFieldsOf({ logUrl }: Needs<'logUrl'>, request: Request) {
  const traceId = traceIdOf(request);
  if (traceId === undefined) return {};
  return { correlationKey: traceId, ...(logUrl !== undefined && { logUrl: logUrlOf(logUrl, traceId) }) };
}
