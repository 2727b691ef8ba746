import { type AppUrl, publicMountPath, startPath } from '../http/app-url.js';
import type { Visit } from '../session/visitor.js';

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
export function loginPathFor(app: AppUrl, visit: Visit, scopes: readonly string[] = []): string {
  const { publicPath } = visit.visitor;
  const canReturn = isNavigation(visit) && safeAddress(publicPath, app) !== undefined;
  return loginPath(app, { returnTo: canReturn ? publicPath : undefined, scopes });
}

/** True for requests that the browser can repeat after a detour. The content of a form would be lost. */
export function isNavigation({ request }: Visit): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

const RETURN_TO_MAX_LENGTH = 1024;

/** Path below `mountPath` that a payment page returns to. It is a page of its own, so sign-in can lead back to it. */
export const CHECKOUT_RETURN_PATH = '/checkout/return';

/** Returns the absolute URL of `wanted` if it is a page of the app, and otherwise that of the start page. */
export function returnAddress(wanted: unknown, app: AppUrl): string {
  return safeAddress(wanted, app) ?? `${app.appOrigin}${startPath(app)}`;
}

/**
 * Returns the absolute URL of a path on the app's own origin, or undefined for everything else: `//host`, backslashes,
 * schemes, control characters, and paths that become one of these when normalized. Paths below `mountPath` are rejected
 * too, because a sign-in would lead to the next sign-in. {@link CHECKOUT_RETURN_PATH} is the exception.
 */
export function safeAddress(wanted: unknown, { appOrigin, appPath, mountPath }: AppUrl): string | undefined {
  if (typeof wanted !== 'string' || wanted.length > RETURN_TO_MAX_LENGTH) return undefined;
  // Browsers remove tabs and line breaks from URLs and treat a backslash as a slash.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters.
  if (!/^\/(?!\/)/.test(wanted) || /[\\\u0000-\u0020\u007f]/.test(wanted)) return undefined;
  if (!URL.canParse(wanted, appOrigin)) return undefined;
  const url = new URL(wanted, appOrigin);
  if (url.origin !== appOrigin || url.username !== '' || url.password !== '') return undefined;
  // "/.//host" is a path that normalizes to "//host".
  if (url.pathname.startsWith('//')) return undefined;
  const mount = `${appPath}${mountPath}`;
  const isEndpoint = url.pathname === mount || url.pathname.startsWith(`${mount}/`);
  if (isEndpoint && url.pathname !== `${mount}${CHECKOUT_RETURN_PATH}`) return undefined;
  return url.href;
}
