import {
  authorizationUrl,
  createPkcePair,
  createState,
  isOAuthClientError,
  readAuthorizationResponse,
} from '@latchkey/oauth';
import { publicMountPath } from '../http/app-url.js';
import { LatchkeyError } from '../platform/errors.js';
import { logMessage } from '../platform/log.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Session } from '../session/session.js';
import type { Endpoint, Visit } from '../session/visitor.js';
import { beginSession } from './begin-session.js';
import { returnAddress, safeAddress } from './return-to.js';
import type { SignInAttempt, SignInKit } from './sign-in-attempts.js';
import { failureOfError, sendSignInFailure } from './sign-in-failure.js';

/**
 * `GET /auth/login?returnTo=/path&scope=products.read`: redirects to the service, and stores the attempt in a cookie.
 * `scope` adds to the configured scopes. On another host than that of `appUrl`, redirects to the same path there first.
 */
export function loginEndpoint(kit: SignInKit): Endpoint {
  const { app, clock, service, callbackUrl, attempts } = kit;
  return async (visit) => {
    const moved = loginOnAppHost(kit, visit);
    if (moved !== undefined) return visit.response.redirect(302, moved);
    const [{ codeVerifier, codeChallenge }, state] = [await createPkcePair(), createState()];
    const returnTo = returnAddress(visit.request.query.returnTo, app);
    const scopes = scopesToRequest(kit, visit);
    await attempts.begin(visit, { state, codeVerifier, returnTo, scopes, startedAt: clock.now() });
    const location = authorizationUrl(service, { redirectUri: callbackUrl, scopes, state, codeChallenge });
    visit.response.redirect(302, location);
  };
}

/** Includes the granted scopes, so that a sign-in never reduces the scopes of the session. */
function scopesToRequest(kit: SignInKit, visit: Visit): string[] {
  const granted = visit.visitor.scopes.filter((each) => kit.scopesInUse.has(each));
  return [...new Set([...kit.scopes, ...granted, ...requestedScopes(kit, visit)])];
}

/** Returns the scopes of the query that the app uses. */
function requestedScopes({ scopesInUse }: SignInKit, { request }: Visit): string[] {
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
function loginOnAppHost(kit: SignInKit, visit: Visit): string | undefined {
  const { app } = kit;
  const { headers, query } = visit.request;
  const { host } = new URL(app.appOrigin);
  const isMoved = Object.hasOwn(query, MOVED);
  if (isMoved || headers.host === host || headers['x-forwarded-host'] === host) return undefined;
  const login = new URL(`${publicMountPath(app)}/login`, app.appOrigin);
  const returnTo = safeAddress(query.returnTo, app);
  if (returnTo !== undefined) login.searchParams.set('returnTo', returnTo.slice(app.appOrigin.length));
  const scope = requestedScopes(kit, visit).join(' ');
  if (scope !== '') login.searchParams.set('scope', scope);
  login.searchParams.set(MOVED, '1');
  return login.href;
}

/**
 * `GET /auth/callback?code&state`: the service redirects here. The state must belong to an attempt of this browser, and
 * each attempt is redeemed once. Then the code is redeemed and the visitor continues to `returnTo`.
 */
export function callbackEndpoint(kit: SignInKit): Endpoint {
  const { app, attempts, logger } = kit;
  return async (visit) => {
    const parameters = new URL(visit.request.originalUrl, app.appOrigin).searchParams;
    const state = parameters.get('state') ?? '';
    if (state === '') {
      logger.warn(
        logMessage(
          'state_missing',
          'Sign-in failed: the callback was called without a state, so not by the service.',
        ),
      );
      return sendSignInFailure(kit, visit, { reason: 'invalid_response' });
    }
    const redeemed = await attempts.redeem(visit, state);
    switch (redeemed.kind) {
      case 'already_redeemed':
        logger.warn(
          logMessage(
            'already_used',
            'Sign-in failed: this callback was opened before. Likely cause: the Back button or a reload.',
          ),
        );
        return sendSignInFailure(kit, visit, { reason: 'already_used' });
      case 'missing':
        logger.warn(
          logMessage('cookie_missing', 'Sign-in failed: the cookie of the attempt was not sent.'),
          missingCookieCauses(kit, visit),
        );
        return sendSignInFailure(kit, visit, { reason: 'cookie_missing' });
      case 'unreadable':
        logger.warn(
          logMessage(
            'cookie_undecryptable',
            'Sign-in failed: the cookie of the attempt cannot be decrypted. If cookieSecret was replaced, keep the old one as second entry, and give every process the same list.',
          ),
        );
        return sendSignInFailure(kit, visit, { reason: 'invalid_response' });
      case 'expired':
        logger.warn(
          logMessage('expired', 'Sign-in failed: the visitor returned after more than ten minutes.'),
        );
        return sendSignInFailure(kit, visit, { reason: 'expired', attempt: redeemed.attempt });
      case 'valid':
        return finish(kit, visit, { attempt: redeemed.attempt, parameters });
    }
  };
}

async function finish(
  kit: SignInKit,
  visit: Visit,
  { attempt, parameters }: { attempt: SignInAttempt; parameters: URLSearchParams },
): Promise<void> {
  let session: Session;
  try {
    const code = readAuthorizationResponse(parameters, { expectedState: attempt.state });
    session = await beginSession(kit, {
      code,
      codeVerifier: attempt.codeVerifier,
      redirectUri: kit.callbackUrl,
      scopes: attempt.scopes,
    });
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    const reason = failureOfError(error);
    if (reason !== 'declined')
      kit.logger.error(logMessage('sign_in_failed', 'Sign-in failed.'), failureDetails(error));
    return sendSignInFailure(kit, visit, { reason, attempt });
  }
  const granted = session.tokens.scopes;
  const refusedScopes = attempt.scopes.filter((scope) => !granted.includes(scope));
  try {
    await visit.visitor.session.start({ ...session, refusedScopes });
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return sendSignInFailure(kit, visit, { reason: 'service_unavailable', attempt });
  }
  visit.response.redirect(302, attempt.returnTo);
}

/** Log details for a missing attempt cookie: likely causes, those that this request indicates first. */
function missingCookieCauses(
  { app: { appOrigin }, attempts }: SignInKit,
  { visitor, request }: Visit,
): Record<string, unknown> {
  const { headers } = request;
  const { host } = new URL(appOrigin);
  const isHttps = appOrigin.startsWith('https:');
  const forwardedProto = String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0];
  const indicated: [boolean, string][] = [
    [
      visitor.signedIn,
      'the visitor is signed in: the Back button, a reload or a bookmark opened a completed sign-in again',
    ],
    [
      isHttps && forwardedProto === 'http',
      'according to a proxy the visitor used http, where browsers store no Secure cookie: redirect http to https',
    ],
    [
      headers.host !== host,
      `the Host header differs from appUrl (${host}): visitors start on another host, or a proxy replaces the header`,
    ],
    [
      /^(iframe|frame|embed|object)$/.test(String(headers['sec-fetch-dest'] ?? '')),
      'the app is in a frame of another site, where browsers send no SameSite=Lax cookie: sign in in a separate window',
    ],
    [
      headers.cookie === undefined,
      'the request has no cookies: the browser blocks them, or a proxy drops the Cookie header',
    ],
    [
      attempts.countIn(request) > 0,
      'the request has cookies of other sign-ins: this one was completed before, or there were too many at once',
    ],
  ];
  return {
    likelyCauses: [
      ...indicated.filter(([applies]) => applies).map(([, cause]) => cause),
      'the visitor took more than ten minutes',
      'the sign-in started in another browser',
      ...(isHttps ? ['the app was opened over http, where browsers reject Secure cookies'] : []),
    ],
  };
}
