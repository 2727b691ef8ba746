import { type OAuthService, revokeToken, type TokenSet } from '@latchkey/oauth';
import type { Settings } from '../options.js';
import { failureDetails } from '../service-failure.js';

/** The parts of a kit that a revocation takes. */
export interface RevocationDependencies {
  settings: Settings;
  service: OAuthService;
}

/** Longest that a visitor waits for a revocation, in milliseconds. */
export const REVOCATION_WAIT_MS = 3_000;

/**
 * Revokes the pair when the client is a confidential one. A failure is logged and nothing else: the session is over
 * either way.
 */
export async function revokeQuietly(
  { settings, service }: RevocationDependencies,
  tokens: TokenSet,
): Promise<void> {
  const { clientSecret, timeoutMs, logger } = settings;
  // A public client can never revoke (spec, "POST /oauth/revoke"): it forgets.
  if (clientSecret === undefined) return;
  const hurried = { ...service, timeoutMs: Math.min(timeoutMs, REVOCATION_WAIT_MS) };
  try {
    await revokeToken(hurried, { token: tokens.refreshToken, hint: 'refresh_token' });
  } catch (error) {
    logger.warn('The tokens of a session that ended could not be revoked.', failureDetails(error));
  }
}
