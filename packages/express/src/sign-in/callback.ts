import { isOAuthClientError, readAuthorizationResponse } from '@latchkey/oauth';
import type { AppUrl } from '../http/app-url.js';
import { LatchkeyError } from '../platform/latchkey-error.js';
import { logMessage } from '../platform/log-message.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Session } from '../session/model/session.js';
import { type BeginSessionContext, beginSession } from './begin-session.js';
import type { Endpoint, VisitorExchange } from './endpoint.js';
import { missingCookieCauses } from './missing-cookie-causes.js';
import { type SignInPages, sendSignInFailure } from './send-sign-in-failure.js';
import type { SignInAttempt, SignInAttempts } from './sign-in-attempts.js';
import { failureOfError } from './sign-in-failure.js';

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
