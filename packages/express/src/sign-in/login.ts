import { authorizationUrl, createPkcePair, createState, type OAuthService } from '@latchkey/oauth';
import { type AppUrl, publicMountPath } from '../http/app-url.js';
import type { Clock } from '../platform/clock.js';
import type { Endpoint, VisitorExchange } from './endpoint.js';
import { returnAddress, safeAddress } from './return-to.js';
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
