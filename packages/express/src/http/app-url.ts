import type { Request } from 'express';
import type { Log } from '../platform/log.js';

/** URL of the app as browsers see it, and the path below it that the router serves. */
export interface AppUrl {
  /** Origin of `appUrl`. */
  readonly appOrigin: string;
  /** Path of `appUrl` without a trailing slash; empty at the root. */
  readonly appPath: string;
  /** Option `mountPath`, for example `/auth`. */
  readonly mountPath: string;
}

/** Returns the path of the router as browsers see it, for example `/shop/auth`. */
export function publicMountPath({ appPath, mountPath }: AppUrl): string {
  return `${appPath}${mountPath}`;
}

export function startPath({ appPath }: AppUrl): string {
  return `${appPath}/`;
}

/** Returns the query of a request. Unlike `request.query`, it doesn't depend on the app's setting `query parser`. */
export function queryOf({ url }: Request): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

/**
 * True if a page of the app itself sent the request. Browsers report this in `Sec-Fetch-Site`, which pages can't forge.
 * Older browsers send `Origin` with every POST. A request with neither header is rejected.
 */
export function isSameOrigin(request: Request, appOrigin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === appOrigin;
}

/**
 * Returns a function that warns once if a request arrives at a host other than `appUrl`'s, usually because of a wrong
 * port, or by http although `appUrl` is https. For development only: in production a proxy can replace the header.
 */
export function hostWarning(
  { appOrigin }: AppUrl,
  logger: Log,
): (request: Pick<Request, 'headers' | 'socket'>) => void {
  const { host, protocol, port } = new URL(appOrigin);
  const isOwn = (received: unknown) => {
    const url = `${protocol}//${received}`;
    return URL.canParse(url) && new URL(url).host === host;
  };
  /** A proxy that ends TLS has the port of `appUrl`, so this process has another one. */
  const lacksTls = ({ headers, socket }: Pick<Request, 'headers' | 'socket'>) =>
    protocol === 'https:' &&
    socket.localPort === Number(port || 443) &&
    !('encrypted' in socket) &&
    headers['x-forwarded-proto'] === undefined;
  let isDone = process.env.NODE_ENV === 'production';
  return (request) => {
    if (isDone) return;
    const { headers } = request;
    const isPlain = lacksTls(request);
    const isHost = headers.host === host || isOwn(headers.host) || isOwn(headers['x-forwarded-host']);
    if (isHost && !isPlain) return;
    isDone = true;
    logger.warn(
      'app_url_mismatch',
      `Requests arrive at ${isPlain ? 'http://' : ''}${headers.host ?? 'a host without a name'}, but appUrl is ${appOrigin}. Visitors return from the sign-in to appUrl, so set it to the address that they open, with its port. If it is, let the proxy pass Host on, with the port (nginx: $http_host, not $host).`,
    );
  };
}
