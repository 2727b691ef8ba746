import type { RequestHandler } from 'express';
import type { Clock } from '../clock.js';
import type { Logger } from '../logging/logger.js';
import { throttledWarning } from '../logging/throttled-warning.js';
import { type FailureNeeds, sendFailure } from './failure.js';
import { isLoopback } from './web-origin.js';

interface HostGuardNeeds extends FailureNeeds {
  /** Origin of the service. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Maximum number of characters of a foreign host in a message. */
const SHOWN_LENGTH = 100;

/**
 * Returns the values of the Host header that name the service, in lower case: the host of the base URL, with and without
 * its default port. If it is a loopback address, every loopback name counts.
 */
function hostsOf(baseUrl: string): ReadonlySet<string> {
  const url = new URL(baseUrl);
  const defaultPort = DEFAULT_PORTS[url.protocol];
  const port = url.port === '' ? defaultPort : url.port;
  const names = isLoopback(url) ? [url.hostname, ...LOOPBACK_NAMES] : [url.hostname];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === defaultPort ? [name] : [])]));
}

/**
 * Rejects requests for any other host with 421. An attacker can bind a name of its own to this machine's address
 * (DNS rebinding). Without the check, its pages would count as same-origin and could read every response.
 *
 * `X-Forwarded-Host` counts instead of `Host` if Express's `trust proxy` trusts the caller.
 */
export function hostGuard(needs: HostGuardNeeds): RequestHandler {
  const { baseUrl } = needs;
  const hosts = hostsOf(baseUrl);
  const warn = throttledWarning(needs);
  return (request, response, next) => {
    const { host = '' } = request;
    if (hosts.has(host.toLowerCase())) return next();
    const shown = host.slice(0, SHOWN_LENGTH);
    warn({ host: shown, baseUrl }, 'Rejected a request for a foreign host');
    const message = `This server answers for ${baseUrl} only; the request was sent to the host "${shown}".`;
    const link = { href: `${baseUrl}${request.path}`, label: `Go to ${new URL(baseUrl).host}` };
    sendFailure(needs, { request, response }, { status: 421, message, link });
  };
}
