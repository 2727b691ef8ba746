import { fetchClientIdentity, isOAuthClientError, type OAuthService } from '@latchkey/oauth';
import { logMessage } from '../platform/log-message.js';
import type { Logger } from '../platform/logger.js';

/**
 * Asks the service for the public identity of the app's client, and logs an error if the service does not know it. Otherwise
 * the first sign-in would show only the service's 400. Never rejects. An outage is not logged here, because the first sign-in
 * reports it.
 */
export async function checkClient(service: OAuthService, logger: Logger): Promise<void> {
  try {
    await fetchClientIdentity(service);
  } catch (error) {
    if (!isOAuthClientError(error) || error.code !== 'invalid_client') return;
    const { clientId, serviceUrl } = service;
    logger.error(
      logMessage(
        'client_unknown',
        'The service does not know this client, so nobody can sign in. Compare clientId and serviceUrl with the developer area of the service.',
      ),
      { clientId, serviceUrl },
    );
  }
}
