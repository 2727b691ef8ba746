import { WEBHOOK_RESPONSE_TIMEOUT_SECONDS } from '@latchkey/contract/constants';
import { NOT_PUBLIC } from './endpoint-lookup.js';

/** What came of a request to an endpoint. */
export interface AttemptOutcome {
  /** Null when there was no answer. */
  statusCode: number | null;
  /** What went wrong, in a sentence for the endpoint's owner; null when it was delivered. */
  failure: string | null;
}

/** The code of the error that says: the time is over. */
export const TIMED_OUT = 'ERESPONSETIMEOUT';

/** Judges an answer by its status: 2xx within the time is received, everything else is not (spec, "Events", 5). */
export function outcomeOfStatus(statusCode: number): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { statusCode, failure: null };
  const failure =
    statusCode >= 300 && statusCode < 400
      ? `Answered with status ${statusCode}. Redirects are not followed: give the address they lead to.`
      : `Answered with status ${statusCode}; only 2xx counts as received.`;
  return { statusCode, failure };
}

/**
 * Says why there was no answer. Nothing is told of addresses that are not public, not even whether they exist; of the
 * public ones no more than anybody can find out.
 */
export function outcomeOfError(error: NodeJS.ErrnoException): AttemptOutcome {
  return { statusCode: null, failure: describe(error.code ?? '') };
}

function describe(code: string): string {
  if (code === TIMED_OUT) return `No answer within ${WEBHOOK_RESPONSE_TIMEOUT_SECONDS} seconds.`;
  if (code === NOT_PUBLIC) return 'The host does not lead to a public address.';
  if (code === 'ECONNREFUSED') return 'Nothing takes connections at this host and port.';
  if (/^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code))
    return 'The host cannot be reached.';
  if (/^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO|ERR_OSSL)/.test(code)) {
    return `The TLS connection could not be made (${code}).`;
  }
  if (code.startsWith('HPE_')) return 'The answer was not HTTP.';
  return 'The connection was closed before an answer came.';
}
