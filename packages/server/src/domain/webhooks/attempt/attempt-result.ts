import { WEBHOOK_RESPONSE_TIMEOUT_SECONDS } from '@latchkey/contract/constants';
import { NOT_PUBLIC } from '../endpoint/endpoint-lookup.js';

/** Result of a request to an endpoint. */
export interface AttemptResult {
  /** Null if there was no response. */
  statusCode: number | null;
  /** A sentence for the endpoint's owner that says why the attempt failed; null if it succeeded. */
  failure: string | null;
}

/** Error code of a request without a response in time. */
export const TIMED_OUT = 'ERESPONSETIMEOUT';

/** Returns the result of a response. Only a 2xx status counts as received (spec, "Events", 5). */
export function resultOfStatus(statusCode: number): AttemptResult {
  if (statusCode >= 200 && statusCode < 300) return { statusCode, failure: null };
  const failure =
    statusCode >= 300 && statusCode < 400
      ? `Responded with status ${statusCode}. Redirects are not followed; register the target URL instead.`
      : `Responded with status ${statusCode}; only 2xx counts as received.`;
  return { statusCode, failure };
}

/**
 * Returns the result of a request without a response. The failure reveals nothing about addresses that are not public, not
 * even if they exist.
 */
export function resultOfError(error: NodeJS.ErrnoException): AttemptResult {
  return { statusCode: null, failure: describe(error.code ?? '') };
}

function describe(code: string): string {
  if (code === TIMED_OUT) return `No response within ${WEBHOOK_RESPONSE_TIMEOUT_SECONDS} seconds.`;
  if (code === NOT_PUBLIC) return 'The host does not lead to a public address.';
  if (code === 'ECONNREFUSED') return 'Connection refused.';
  if (/^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code))
    return 'The host cannot be reached.';
  if (/^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO|ERR_OSSL)/.test(code)) {
    return `The TLS connection failed (${code}).`;
  }
  if (code.startsWith('HPE_')) return 'The response was not HTTP.';
  return 'The connection was closed before a response arrived.';
}
