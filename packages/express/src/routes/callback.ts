import { isOAuthClientError, readAuthorizationResponse } from '@latchkey/oauth';
import { LatchkeyError } from '../latchkey-error.js';
import { failureDetails } from '../service-failure.js';
import type { Session } from '../session/session.js';
import { beginSession } from '../sign-in/begin-session.js';
import { forgetAttempt, recallAttempt, type SignInAttempt, stateHash } from '../sign-in/sign-in-attempt.js';
import { explainFailure, failureOfError, missingCookieCauses } from '../sign-in/sign-in-failure.js';
import type { RouteContext } from './kit-route.js';

/**
 * `GET /auth/callback?code&state`: back from the service. The state must belong to an attempt of this very browser,
 * and each attempt counts once; then the code is redeemed and the visitor goes on to the wanted page.
 */
export async function callback(context: RouteContext): Promise<void> {
  const { kit, request, response } = context;
  const { logger, clock, appOrigin } = kit.settings;
  const parameters = new URL(request.originalUrl, appOrigin).searchParams;
  const state = parameters.get('state') ?? '';
  if (state === '') {
    logger.warn('Sign-in failed: the callback was called without a state, so not by the service.');
    return explainFailure(context, 'invalid_response');
  }
  const hash = stateHash(state);
  if (kit.usedStates.has(hash)) {
    logger.warn('Sign-in failed: this callback was opened before. Likely the Back button or a reload.');
    return explainFailure(context, 'already_used');
  }
  const recalled = await recallAttempt(kit, request, state);
  if (recalled.kind === 'missing') {
    logger.warn('Sign-in failed: the cookie of the attempt did not come back.', missingCookieCauses(context));
    return explainFailure(context, 'cookie_missing');
  }
  // From here on the attempt is spent, whatever comes of it. Two requests at once: the first to arrive has it.
  if (kit.usedStates.has(hash)) return explainFailure(context, 'already_used');
  kit.usedStates.set(hash, clock.now());
  forgetAttempt(kit, response, state);
  if (recalled.kind === 'unreadable') {
    logger.warn(
      'Sign-in failed: the cookie of the attempt does not open. Was cookieSecret replaced in between? Keep the old one as second entry while rotating, and give every process the same list.',
    );
    return explainFailure(context, 'invalid_response');
  }
  if (recalled.kind === 'expired') {
    logger.warn('Sign-in failed: the visitor came back after more than ten minutes.');
    return explainFailure(context, 'expired', recalled.attempt);
  }
  return finish(context, recalled.attempt, parameters);
}

async function finish(
  context: RouteContext,
  attempt: SignInAttempt,
  parameters: URLSearchParams,
): Promise<void> {
  const { kit, visit, response } = context;
  let session: Session;
  try {
    const code = readAuthorizationResponse(parameters, { expectedState: attempt.state });
    session = await beginSession(kit, {
      code,
      codeVerifier: attempt.codeVerifier,
      redirectUri: kit.callbackUrl,
    });
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    const failure = failureOfError(error);
    if (failure !== 'declined') kit.settings.logger.error('Sign-in failed.', failureDetails(error));
    return explainFailure(context, failure, attempt);
  }
  const granted = session.tokens.scopes;
  const refusedScopes = attempt.scopes.filter((scope) => !granted.includes(scope));
  try {
    await visit.start({ ...session, refusedScopes });
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return explainFailure(context, 'service_unavailable', attempt);
  }
  response.redirect(302, attempt.returnTo);
}
