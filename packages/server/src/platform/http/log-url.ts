import { isLoopback } from './web-origin.js';

const PLACEHOLDER = '{traceId}';

/**
 * Checks the address of the log. `{traceId}` in it is replaced by the trace id of a request.
 *
 * @throws Error if `{traceId}` is missing or part of the host, or the address is plain http and not loopback.
 * @throws Error if the address contains a password, because every caller receives the address.
 */
export function checkLogUrl(template: string): string {
  const url = URL.canParse(logUrlOf(template, '')) ? new URL(logUrlOf(template, '')) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (url === undefined || !isSafe) {
    throw new Error('Option "logUrl" must be an https URL; http is for loopback addresses.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('Option "logUrl" must not contain a user or password, because every caller receives it.');
  }
  if (!template.includes(PLACEHOLDER) || new URL(logUrlOf(template, '0')).host !== url.host) {
    throw new Error(`Option "logUrl" needs ${PLACEHOLDER} in its path, query or fragment.`);
  }
  return template;
}

/** Returns the address of the log of one request. Trace ids are hex and need no encoding. */
export function logUrlOf(template: string, traceId: string): string {
  return template.replaceAll(PLACEHOLDER, traceId);
}
