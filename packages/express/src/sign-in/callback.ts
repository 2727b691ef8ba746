import { isOAuthClientError, readAuthorizationResponse } from '@latchkey/oauth';
import type { AppUrl } from '../http/app-url.js';
import { LatchkeyError } from '../platform/errors.js';
import { logMessage } from '../platform/log.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Session } from '../session/session.js';
import type { Endpoint, VisitorExchange } from '../session/visitor.js';
import { type BeginSessionContext, beginSession } from './begin-session.js';
import type { SignInAttempt, SignInAttempts } from './sign-in-attempts.js';
import { failureOfError, type SignInPages, sendSignInFailure } from './sign-in-failure.js';

export interface CallbackContext extends BeginSessionContext {
  app: AppUrl;
  pages: SignInPages;
  scopes: readonly string[];
  attempts: SignInAttempts;
  callbackUrl: string;
}

/**
 * `GET /auth/callback?code&state`: the service redirects here. The state must belong to an attempt of this browser, and
 * each attempt is redeemed once. Then the code is redeemed and the visitor continues to `returnTo`.
 */
export function callbackEndpoint(context: CallbackContext): Endpoint {
  const { app, attempts, logger } = context;
  return async (exchange) => {
    const parameters = new URL(exchange.request.originalUrl, app.appOrigin).searchParams;
    const state = parameters.get('state') ?? '';
    if (state === '') {
      logger.warn(
        logMessage(
          'state_missing',
          'Sign-in failed: the callback was called without a state, so not by the service.',
        ),
      );
      return sendSignInFailure(context, exchange, { reason: 'invalid_response' });
    }
    const redeemed = await attempts.redeem(exchange, state);
    switch (redeemed.kind) {
      case 'already_redeemed':
        logger.warn(
          logMessage(
            'already_used',
            'Sign-in failed: this callback was opened before. Likely cause: the Back button or a reload.',
          ),
        );
        return sendSignInFailure(context, exchange, { reason: 'already_used' });
      case 'missing':
        logger.warn(
          logMessage('cookie_missing', 'Sign-in failed: the cookie of the attempt was not sent.'),
          missingCookieCauses(context, exchange),
        );
        return sendSignInFailure(context, exchange, { reason: 'cookie_missing' });
      case 'unreadable':
        logger.warn(
          logMessage(
            'cookie_undecryptable',
            'Sign-in failed: the cookie of the attempt cannot be decrypted. If cookieSecret was replaced, keep the old one as second entry, and give every process the same list.',
          ),
        );
        return sendSignInFailure(context, exchange, { reason: 'invalid_response' });
      case 'expired':
        logger.warn(
          logMessage('expired', 'Sign-in failed: the visitor returned after more than ten minutes.'),
        );
        return sendSignInFailure(context, exchange, { reason: 'expired', attempt: redeemed.attempt });
      case 'valid':
        return finish(context, exchange, { attempt: redeemed.attempt, parameters });
    }
  };
}

async function finish(
  context: CallbackContext,
  exchange: VisitorExchange,
  { attempt, parameters }: { attempt: SignInAttempt; parameters: URLSearchParams },
): Promise<void> {
  let session: Session;
  try {
    const code = readAuthorizationResponse(parameters, { expectedState: attempt.state });
    session = await beginSession(context, {
      code,
      codeVerifier: attempt.codeVerifier,
      redirectUri: context.callbackUrl,
      scopes: attempt.scopes,
    });
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    const reason = failureOfError(error);
    if (reason !== 'declined')
      context.logger.error(logMessage('sign_in_failed', 'Sign-in failed.'), failureDetails(error));
    return sendSignInFailure(context, exchange, { reason, attempt });
  }
  const granted = session.tokens.scopes;
  const refusedScopes = attempt.scopes.filter((scope) => !granted.includes(scope));
  try {
    await exchange.visitor.session.start({ ...session, refusedScopes });
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return sendSignInFailure(context, exchange, { reason: 'service_unavailable', attempt });
  }
  exchange.response.redirect(302, attempt.returnTo);
}

/** Log details for a missing attempt cookie: likely causes, those that this request indicates first. */
function missingCookieCauses(
  { app: { appOrigin }, attempts }: { app: AppUrl; attempts: SignInAttempts },
  { visitor, request }: VisitorExchange,
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
