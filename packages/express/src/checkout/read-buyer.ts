import { fetchUserIdentity, isOAuthClientError, type OAuthService, type UserIdentity } from '@latchkey/oauth';
import { comparableId } from '../platform/comparable-id.js';
import { LatchkeyError } from '../platform/latchkey-error.js';
import { logMessage } from '../platform/log-message.js';
import type { Logger } from '../platform/logger.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Session } from '../session/model/session.js';

/**
 * Reads the current identity of a buyer. The address in the session is that of the sign-in. The account can have
 * changed it since, and a checkout with the old address would be bound to another account.
 * @throws LatchkeyError `service_unavailable`.
 */
export async function readBuyer(
  { service, logger }: { service: OAuthService; logger: Logger },
  { user: { sub }, tokens: { accessToken } }: Session,
): Promise<UserIdentity> {
  try {
    const user = await fetchUserIdentity(service, { accessToken });
    if (comparableId(user.sub) === comparableId(sub)) return user;
    logger.error(
      logMessage(
        'buyer_mismatch',
        'The access token of a session belongs to another user than the session. Nothing was sold.',
      ),
      {},
    );
    throw unavailable();
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    logger.warn(
      logMessage('buyer_unavailable', 'The address of a buyer could not be read.'),
      failureDetails(error),
    );
    throw unavailable(error);
  }
}

function unavailable(cause?: unknown): LatchkeyError {
  return new LatchkeyError(
    'service_unavailable',
    'The address of the account cannot be read at the moment.',
    {
      cause,
    },
  );
}
