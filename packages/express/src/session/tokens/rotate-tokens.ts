import { isOAuthClientError, type OAuthService, refreshTokenSet, type TokenSet } from '@latchkey/oauth';

/** Result of a token rotation that reached the service. */
export type RotationResult = { kind: 'rotated'; tokens: TokenSet } | { kind: 'rejected' };

/**
 * Rotates a refresh token. After a broken connection it is unknown if the service processed the request, so it is sent
 * once more: the service then returns new tokens, or rejects the token.
 * @throws OAuthClientError if the service does not respond within `timeoutMs`.
 */
export async function rotateTokens(
  service: OAuthService,
  { refreshToken, scopes, timeoutMs }: { refreshToken: string; scopes: readonly string[]; timeoutMs: number },
): Promise<RotationResult> {
  const startedAt = performance.now();
  const send = () => {
    const remainingMs = Math.max(1, Math.ceil(startedAt + timeoutMs - performance.now()));
    return refreshTokenSet({ ...service, timeoutMs: remainingMs }, { refreshToken, scopes });
  };
  try {
    const tokens = await send().catch((error: unknown) => {
      if (isOAuthClientError(error) && error.code === 'network') return send();
      throw error;
    });
    return { kind: 'rotated', tokens };
  } catch (error) {
    if (isOAuthClientError(error) && error.code === 'invalid_grant') return { kind: 'rejected' };
    throw error;
  }
}
