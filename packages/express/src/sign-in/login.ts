import { authorizationUrl, createPkcePair, createState, type OAuthService } from '@latchkey/oauth';
import type { AppUrl } from '../http/app-url.js';
import type { Clock } from '../platform/clock.js';
import type { Endpoint, VisitorExchange } from './endpoint.js';
import { returnAddress } from './return-to.js';
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
 * `scope` adds to the configured scopes.
 */
export function loginEndpoint(context: LoginContext): Endpoint {
  const { app, clock, service, callbackUrl, attempts } = context;
  return async (exchange) => {
    const [{ codeVerifier, codeChallenge }, state] = [await createPkcePair(), createState()];
    const returnTo = returnAddress(exchange.request.query.returnTo, app);
    const scopes = scopesToRequest(context, exchange);
    await attempts.begin(exchange, { state, codeVerifier, returnTo, scopes, startedAt: clock.now() });
    const location = authorizationUrl(service, { redirectUri: callbackUrl, scopes, state, codeChallenge });
    exchange.response.redirect(302, location);
  };
}

/** Includes the granted scopes, so that a sign-in never reduces the scopes of the session. */
function scopesToRequest(
  { scopes, scopesInUse }: LoginContext,
  { visitor, request }: VisitorExchange,
): string[] {
  const { scope } = request.query;
  const requested = typeof scope === 'string' ? scope.split(' ') : [];
  const additional = [...visitor.scopes, ...requested].filter((each) => scopesInUse.has(each));
  return [...new Set([...scopes, ...additional])];
}
