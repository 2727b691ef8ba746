import { type AppUrl, publicMountPath } from '../http/app-url.js';
import type { VisitorExchange } from './endpoint.js';
import { safeAddress } from './return-to.js';

/** Path of the login endpoint, which returns to `returnTo` and can request additional scopes. */
export function loginPath(
  app: AppUrl,
  { returnTo, scopes = [] }: { returnTo?: string | undefined; scopes?: readonly string[] },
): string {
  const query = new URLSearchParams();
  if (returnTo !== undefined) query.set('returnTo', returnTo);
  if (scopes.length > 0) query.set('scope', scopes.join(' '));
  return `${publicMountPath(app)}/login${query.size === 0 ? '' : `?${query}`}`;
}

/** Path that signs in, optionally with more scopes, and returns to the requested page if possible. */
export function loginPathFor(app: AppUrl, exchange: VisitorExchange, scopes: readonly string[] = []): string {
  const { publicPath } = exchange.visitor;
  const canReturn = isNavigation(exchange) && safeAddress(publicPath, app) !== undefined;
  return loginPath(app, { returnTo: canReturn ? publicPath : undefined, scopes });
}

/** True for requests that the browser can repeat after a detour. The content of a form would be lost. */
export function isNavigation({ request }: VisitorExchange): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
