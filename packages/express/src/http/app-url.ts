import type { Request } from 'express';

/** Address of the app as browsers see it, and the path below it that the router serves. */
export interface AppUrl {
  /** Origin of `appUrl`. */
  readonly appOrigin: string;
  /** Path of `appUrl` without a trailing slash; empty at the root. */
  readonly appPath: string;
  /** Option `mountPath`, for example `/auth`. */
  readonly mountPath: string;
}

/** Path of the router as browsers see it, for example `/shop/auth`. */
export function publicMountPath({ appPath, mountPath }: AppUrl): string {
  return `${appPath}${mountPath}`;
}

export function startPath({ appPath }: AppUrl): string {
  return `${appPath}/`;
}

/**
 * True if a page of the app itself sent the request. Browsers report this in `Sec-Fetch-Site`, which pages cannot
 * forge. Older browsers send `Origin` with every POST. A request with neither header is rejected.
 */
export function isSameOrigin(request: Request, appOrigin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === appOrigin;
}
