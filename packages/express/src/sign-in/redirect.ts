import { AUTHORIZATION_CODE_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import {
  authorizationUrl,
  createPkcePair,
  isOAuthClientError,
  readAuthorizationResponse,
} from '@latchkey/oauth';
import { publicMountPath, queryOf } from '../http/app-url.js';
import { sendPlainPage } from '../http/plain-page.js';
import { isFramed } from '../http/request-kind.js';
import { LatchkeyError } from '../platform/errors.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Session } from '../session/session.js';
import type { Endpoint, Visit } from '../session/visitor.js';
import { beginSession } from './begin-session.js';
import { returnAddress, SWITCH, safeAddress, shortReturnAddress } from './return-to.js';
import { forgetSignOut, hasSignedOut } from './session-endpoint.js';
import type { SignInAttempt, SignInKit, SignInResult } from './sign-in-attempts.js';
import { failureOfError, sendSignInFailure } from './sign-in-failure.js';

/**
 * `GET /auth/login?returnTo=/path&scope=products.read`: redirects to the service, with the attempt sealed in the state.
 * `scope` adds to the configured scopes. After a sign-out, and with `switch`, asks the service to let the visitor
 * choose an account. On a host other than `appUrl`'s, redirects there first. In a frame, sends a page with a link.
 */
export function loginEndpoint(kit: SignInKit): Endpoint {
  return async (visit) => {
    const moved = loginOnAppHost(kit, visit);
    if (moved !== undefined) return visit.response.redirect(302, moved);
    if (isFramed(visit.request)) return sendFramed(visit);
    const returnTo = queryOf(visit.request).get('returnTo');
    return beginAttempt(kit, visit, { returnTo, scopes: scopesToRequest(kit, visit) });
  };
}

/** Redirects to the service. */
async function beginAttempt(
  kit: SignInKit,
  visit: Visit,
  { returnTo, scopes, isSecond }: Pick<SignInAttempt, 'scopes' | 'isSecond'> & { returnTo: string | null },
): Promise<void> {
  const { app, clock, service, callbackUrl, attempts } = kit;
  const { codeVerifier, codeChallenge } = await createPkcePair();
  const startedAt = clock.now();
  const state = await attempts.begin(visit, {
    attempt: { codeVerifier, returnTo: shortReturnAddress(returnTo, app), scopes, startedAt, isSecond },
    page: returnAddress(returnTo, app),
  });
  const selectAccount = queryOf(visit.request).has(SWITCH) || hasSignedOut(kit, visit);
  const { language: lang } = visit.visitor;
  const request = { redirectUri: callbackUrl, scopes, state, codeChallenge, selectAccount, lang };
  visit.response.redirect(302, authorizationUrl(service, request));
}

/** The service forbids framing, so the link opens this login in place of the page around the frame. */
function sendFramed({ visitor, response }: Visit): void {
  const t = visitor.textsFor(undefined);
  sendPlainPage(response, t, {
    title: t('Please sign in first'),
    paragraphs: [],
    link: { href: visitor.publicPath, label: t('Sign in') },
    isFramed: true,
  });
}

/** Includes the granted scopes, so a sign-in never reduces the session's scopes. */
function scopesToRequest(kit: SignInKit, visit: Visit): string[] {
  const granted = visit.visitor.scopes.filter((each) => kit.scopesInUse.has(each));
  return [...new Set([...kit.scopes, ...granted, ...requestedScopes(kit, visit)])];
}

/** Returns the scopes in the query that the app uses. */
function requestedScopes({ scopesInUse }: SignInKit, { request }: Visit): string[] {
  const [scopes = '', ...others] = queryOf(request).getAll('scope');
  return others.length === 0 ? scopes.split(' ').filter((each) => scopesInUse.has(each)) : [];
}

/** Marks a request that was redirected to the host of `appUrl`. */
const MOVED = 'moved';

/**
 * If the request is for a host other than `appUrl`'s, for example 127.0.0.1 instead of localhost, returns the URL of
 * the login there. Otherwise the attempt's cookie would belong to a host that the callback doesn't have. A proxy can
 * replace the Host header, so the redirect happens only once.
 */
function loginOnAppHost(kit: SignInKit, visit: Visit): string | undefined {
  const { app } = kit;
  const { headers } = visit.request;
  const query = queryOf(visit.request);
  const { host } = new URL(app.appOrigin);
  const isMoved = query.has(MOVED);
  if (isMoved || headers.host === host || headers['x-forwarded-host'] === host) return undefined;
  const login = new URL(`${publicMountPath(app)}/login`, app.appOrigin);
  const returnTo = safeAddress(query.get('returnTo'), app);
  if (returnTo !== undefined) login.searchParams.set('returnTo', returnTo.slice(app.appOrigin.length));
  const scope = requestedScopes(kit, visit).join(' ');
  if (scope !== '') login.searchParams.set('scope', scope);
  if (query.has(SWITCH)) login.searchParams.set(SWITCH, '1');
  login.searchParams.set(MOVED, '1');
  return login.href;
}

/**
 * `GET /auth/callback?code&state`: the service redirects here. The state must belong to an attempt of this browser. The
 * code is redeemed once, and the visitor continues to `returnTo`.
 */
export function callbackEndpoint(kit: SignInKit): Endpoint {
  const { attempts, logger } = kit;
  return async (visit) => {
    const parameters = queryOf(visit.request);
    const state = parameters.get('state') ?? '';
    if (state === '') {
      logger.warn(
        'state_missing',
        'Sign-in failed: the callback was called without a state, so not by the service.',
      );
      return sendSignInFailure(kit, visit, { reason: 'invalid_response' });
    }
    const redeemed = await attempts.redeem(visit, state, (attempt) =>
      completeSignIn(kit, visit, { attempt, parameters, state }),
    );
    switch (redeemed.kind) {
      case 'completed':
        return respond(kit, visit, redeemed);
      case 'already_redeemed':
        return sendAlreadyUsed(kit, visit);
      case 'replaced':
        return beginAttempt(kit, visit, { ...redeemed.attempt, isSecond: true });
      case 'missing':
        logger.warn(
          'cookie_missing',
          'Sign-in failed: the cookie of the attempt was not sent.',
          missingCookieCauses(kit, visit),
        );
        return sendSignInFailure(kit, visit, { reason: 'cookie_missing' });
      case 'unreadable':
        logger.warn(
          'state_undecryptable',
          'Sign-in failed: the state of the attempt cannot be decrypted. If cookieSecret was replaced, keep the old one as second entry, and give every process the same list.',
        );
        return sendSignInFailure(kit, visit, { reason: 'invalid_response' });
      case 'expired':
        logger.warn('expired', 'Sign-in failed: the visitor returned after more than ten minutes.');
        return sendSignInFailure(kit, visit, { reason: 'expired', attempt: redeemed.attempt });
    }
  };
}

/** Redeems the code of an attempt. The first request's visitor gets the session here. */
async function completeSignIn(
  kit: SignInKit,
  visit: Visit,
  { attempt, parameters, state }: { attempt: SignInAttempt; parameters: URLSearchParams; state: string },
): Promise<SignInResult> {
  let begun: Session;
  try {
    const code = readAuthorizationResponse(parameters, { expectedState: state });
    begun = await beginSession(kit, {
      code,
      codeVerifier: attempt.codeVerifier,
      redirectUri: kit.callbackUrl,
      scopes: attempt.scopes,
    });
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    const elapsedMs = kit.clock.now() - attempt.startedAt;
    // The code is too young to have expired. Another process may have redeemed it, or it isn't this attempt's.
    const isYoung = elapsedMs < AUTHORIZATION_CODE_LIFETIME_SECONDS * 1000;
    const reason = error.code === 'invalid_grant' && isYoung ? 'code_rejected' : failureOfError(error);
    if (reason !== 'declined') kit.logger.error('sign_in_failed', 'Sign-in failed.', failureDetails(error));
    return { kind: 'failed', reason, attempt };
  }
  const granted = begun.tokens.scopes;
  const refusedScopes = attempt.scopes.filter((scope) => !granted.includes(scope));
  const session = { ...begun, refusedScopes };
  try {
    await visit.visitor.session.start(session);
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return { kind: 'failed', reason: 'service_unavailable', attempt };
  }
  return { kind: 'signed_in', session, returnTo: attempt.returnTo };
}

/**
 * Responds with the result of an attempt. A second request gets the session too: the browser may have dropped the first
 * response, as it does on a reload. It must have the attempt's cookie, or already the session.
 */
async function respond(
  kit: SignInKit,
  visit: Visit,
  { result, isRepeated }: { result: SignInResult; isRepeated: boolean },
): Promise<void> {
  if (result.kind === 'failed') {
    // Someone who only knows the URL learns nothing about the visitor's page.
    return sendSignInFailure(kit, visit, isRepeated ? { reason: result.reason } : result);
  }
  const { session, returnTo } = result;
  forgetSignOut(kit, visit);
  const own = visit.visitor.session;
  if (own.value?.id !== session.id) {
    if (isRepeated || kit.store.hasEnded(session)) return sendAlreadyUsed(kit, visit);
    await own.start(session);
  }
  visit.response.redirect(302, returnTo);
}

function sendAlreadyUsed(kit: SignInKit, visit: Visit): Promise<void> {
  kit.logger.warn(
    'already_used',
    'Sign-in failed: this callback was opened before. Likely cause: the Back button or a reload.',
  );
  return sendSignInFailure(kit, visit, { reason: 'already_used' });
}

/** Returns the likely causes of a missing attempt cookie for the log, beginning with those that this request suggests. */
function missingCookieCauses(
  { app: { appOrigin } }: SignInKit,
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
      isFramed(request),
      'the app is in a frame of another site, where browsers send no SameSite=Lax cookie: sign in in a separate window',
    ],
    [
      headers.cookie === undefined,
      'the request has no cookies: the browser blocks them, or a proxy drops the Cookie header',
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
