import type { Request, RequestHandler } from 'express';
import type { Clock } from '../clock.js';
import type { Logger } from '../logging/logger.js';
import { throttledWarning } from '../logging/throttled-warning.js';
import { type FailureNeeds, sendFailure } from './failure.js';
import { hostsOf } from './own-hosts.js';

interface HostGuardNeeds extends FailureNeeds {
  /** Origin of the service. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const HOST = 'host';

/** Maximum number of characters of a foreign host in a message. */
const SHOWN_LENGTH = 100;

/**
 * Rejects requests for any other host with 421. An attacker can bind a name of its own to this machine's address
 * (DNS rebinding). Without the check, its pages would count as same-origin and could read every response.
 *
 * Also rejects a request with several Host headers with 400. If the request target is a URL, its host must be one of the
 * service too.
 *
 * `X-Forwarded-Host` counts instead of `Host` if Express's `trust proxy` trusts the caller.
 */
export function hostGuard(needs: HostGuardNeeds): RequestHandler {
  const { baseUrl } = needs;
  const hosts = hostsOf(baseUrl);
  const warn = throttledWarning(needs);
  return (request, response, next) => {
    if (hasSeveralHosts(request.rawHeaders)) {
      const message = 'The request has several Host headers. Send one.';
      return sendFailure(needs, { request, response }, { status: 400, message });
    }
    const host = foreignHostOf(request, hosts);
    if (host === undefined) return next();
    const shown = host.slice(0, SHOWN_LENGTH);
    warn({ host: shown, baseUrl }, 'Rejected a request for a foreign host');
    const message = `This server answers for ${baseUrl} only; the request was sent to the host "${shown}".`;
    const link = { href: `${baseUrl}${request.path}`, label: `Go to ${new URL(baseUrl).host}` };
    sendFailure(needs, { request, response }, { status: 421, message, link });
  };
}

/** Returns the host that a request names, unless it is one of the service. */
function foreignHostOf(request: Request, hosts: ReadonlySet<string>): string | undefined {
  const { host = '', originalUrl } = request;
  if (!hosts.has(host.toLowerCase())) return host;
  if (originalUrl.startsWith('/') || originalUrl === '*') return undefined;
  // RFC 9112 section 3.2.2: this host counts, not the header. A cache in front would store the response under its name.
  const target = URL.canParse(originalUrl) ? new URL(originalUrl).host : '';
  return hosts.has(target) ? undefined : target;
}

/**
 * True if a request repeats its Host header, which RFC 9112 section 3.2 rejects. Node reads the first one. A proxy or a cache
 * that reads the last one would store the response under another name.
 *
 * @param headers names and values in turn.
 */
function hasSeveralHosts(headers: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count > 1;
}
