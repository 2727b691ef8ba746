import { authorizationUrl, createPkcePair, createState, type OAuthService } from '@latchkey/oauth';
import { type AppUrl, publicMountPath, startPath } from '../http/app-url.js';
import type { Clock } from '../platform/clock.js';
import type { Endpoint, VisitorExchange } from '../session/visitor.js';
import type { SignInAttempts } from './sign-in-attempts.js';

export interface LoginContext {
  app: AppUrl;
  clock: Clock;
  service: OAuthService;
  callbackUrl: string;
  attempts: SignInAttempts;
  /** Option `scopes`: every sign-in requests them. */
  scopes: readonly string[];
  /** All scopes that the app uses, including those of `requireScope`. Others cannot be requested. */
  scopesInUse: ReadonlySet<string>;
}

/**
 * `GET /auth/login?returnTo=/path&scope=products.read`: redirects to the service, and stores the attempt in a cookie.
 * `scope` adds to the configured scopes. On another host than that of `appUrl`, redirects to the same path there first.
 */
export function loginEndpoint(context: LoginContext): Endpoint {
  const { app, clock, service, callbackUrl, attempts } = context;
  return async (exchange) => {
    const moved = loginOnAppHost(context, exchange);
    if (moved !== undefined) return exchange.response.redirect(302, moved);
    const [{ codeVerifier, codeChallenge }, state] = [await createPkcePair(), createState()];
    const returnTo = returnAddress(exchange.request.query.returnTo, app);
    const scopes = scopesToRequest(context, exchange);
    await attempts.begin(exchange, { state, codeVerifier, returnTo, scopes, startedAt: clock.now() });
    const location = authorizationUrl(service, { redirectUri: callbackUrl, scopes, state, codeChallenge });
    exchange.response.redirect(302, location);
  };
}

/** Includes the granted scopes, so that a sign-in never reduces the scopes of the session. */
function scopesToRequest(context: LoginContext, exchange: VisitorExchange): string[] {
  const granted = exchange.visitor.scopes.filter((each) => context.scopesInUse.has(each));
  return [...new Set([...context.scopes, ...granted, ...requestedScopes(context, exchange)])];
}

/** Returns the scopes of the query that the app uses. */
function requestedScopes({ scopesInUse }: LoginContext, { request }: VisitorExchange): string[] {
  const { scope } = request.query;
  return typeof scope === 'string' ? scope.split(' ').filter((each) => scopesInUse.has(each)) : [];
}

/** Marks a request that was redirected to the host of `appUrl`. */
const MOVED = 'moved';

/**
 * Returns the address of the login on the host of `appUrl` if the request is for another host, for example 127.0.0.1 in place
 * of localhost. The cookie of the attempt would otherwise belong to a host that the callback does not have. A proxy can
 * replace the Host header, so the redirect happens once.
 */
function loginOnAppHost(context: LoginContext, exchange: VisitorExchange): string | undefined {
  const { app } = context;
  const { headers, query } = exchange.request;
  const { host } = new URL(app.appOrigin);
  const isMoved = Object.hasOwn(query, MOVED);
  if (isMoved || headers.host === host || headers['x-forwarded-host'] === host) return undefined;
  const login = new URL(`${publicMountPath(app)}/login`, app.appOrigin);
  const returnTo = safeAddress(query.returnTo, app);
  if (returnTo !== undefined) login.searchParams.set('returnTo', returnTo.slice(app.appOrigin.length));
  const scope = requestedScopes(context, exchange).join(' ');
  if (scope !== '') login.searchParams.set('scope', scope);
  login.searchParams.set(MOVED, '1');
  return login.href;
}

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
