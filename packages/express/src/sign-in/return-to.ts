import { type AppUrl, publicMountPath, startPath } from '../http/app-url.js';
import type { Visit } from '../session/visitor.js';

/** Asks the service to let the visitor choose an account. */
export const SWITCH = 'switch';

interface LoginOptions {
  returnTo?: string | undefined;
  scopes?: readonly string[];
  /** True to sign in with another account. */
  switches?: boolean;
}

/** Returns the path of the login endpoint, which returns to `returnTo` and can request additional scopes. */
export function loginPath(app: AppUrl, { returnTo, scopes = [], switches = false }: LoginOptions): string {
  const query = new URLSearchParams();
  if (returnTo !== undefined) query.set('returnTo', returnTo);
  if (scopes.length > 0) query.set('scope', scopes.join(' '));
  if (switches) query.set(SWITCH, '1');
  return `${publicMountPath(app)}/login${query.size === 0 ? '' : `?${query}`}`;
}

/**
 * Returns the path that signs in, optionally with more scopes or another account, and comes back to the requested page
 * if possible.
 */
export function loginPathFor(
  app: AppUrl,
  visit: Visit,
  options: Pick<LoginOptions, 'scopes' | 'switches'> = {},
): string {
  const { publicPath } = visit.visitor;
  const address = isNavigation(visit) ? safeAddress(publicPath, app) : undefined;
  // A page that is too long loses its query.
  const isWhole = address !== undefined && publicPath.length <= RETURN_TO_MAX_LENGTH;
  const returnTo = isWhole ? publicPath : address?.slice(app.appOrigin.length);
  return loginPath(app, { ...options, returnTo });
}

/** True for requests that the browser can repeat after a detour. A form's content would be lost. */
export function isNavigation({ request }: Visit): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Longest page that an attempt returns to, in characters. Its cookie must stay below 4,096 bytes. */
const RETURN_TO_MAX_LENGTH = 2_000;

/** Longest URL in a state, in characters. A sealed state must not exceed 1,024 (spec, "Limits"). */
const STATE_URL_MAX_LENGTH = 500;

/** Path below `mountPath` that a payment page returns to. It's a real page, so sign-in can lead back to it. */
export const CHECKOUT_RETURN_PATH = '/checkout/return';

/** Returns the absolute URL of `wanted` if it's a page of the app, otherwise the start page's. */
export function returnAddress(wanted: unknown, app: AppUrl, maxLength?: number): string {
  return safeAddress(wanted, app, maxLength) ?? `${app.appOrigin}${startPath(app)}`;
}

/** Returns the same, shortened to what fits into a state. */
export function shortReturnAddress(wanted: unknown, app: AppUrl): string {
  return returnAddress(wanted, app, STATE_URL_MAX_LENGTH - app.appOrigin.length);
}

/**
 * Returns the absolute URL of a page on the app's own origin, which may be written out as in `location.href`. Undefined
 * for everything else: `//host`, backslashes, other schemes and hosts, control characters, and paths that become one of
 * these when normalized. Paths below `mountPath` are rejected too, or a sign-in would lead to the next sign-in;
 * {@link CHECKOUT_RETURN_PATH} is the exception. A URL that is too long loses its query.
 */
export function safeAddress(
  address: unknown,
  { appOrigin, appPath, mountPath }: AppUrl,
  maxLength = RETURN_TO_MAX_LENGTH,
): string | undefined {
  if (typeof address !== 'string') return undefined;
  const wanted = address.startsWith(`${appOrigin}/`) ? address.slice(appOrigin.length) : address;
  // Browsers remove tabs and line breaks from URLs and treat a backslash as a slash.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters.
  if (!/^\/(?!\/)/.test(wanted) || /[\\\u0000-\u001f\u007f]/.test(wanted)) return undefined;
  if (!URL.canParse(wanted, appOrigin)) return undefined;
  const parsed = new URL(wanted, appOrigin);
  // Measured as it is stored: percent-encoded.
  const isLong = parsed.href.length - parsed.origin.length > maxLength;
  const url = isLong ? new URL(parsed.pathname, parsed.origin) : parsed;
  if (url.href.length - url.origin.length > maxLength) return undefined;
  if (url.origin !== appOrigin || url.username !== '' || url.password !== '') return undefined;
  // "/.//host" is a path that normalizes to "//host".
  if (url.pathname.startsWith('//')) return undefined;
  const mount = `${appPath}${mountPath}`;
  const isEndpoint = `${url.pathname}/`.toLowerCase().startsWith(`${mount}/`.toLowerCase());
  if (isEndpoint && url.pathname !== `${mount}${CHECKOUT_RETURN_PATH}`) return undefined;
  return url.href;
}
