import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import { OAuthClientError } from './oauth-client-error.js';

/** Proves that the client that redeems a code is the client that requested it (RFC 7636). */
export interface PkcePair {
  /** Secret of one sign-in, 43 characters. It is sent only in the code exchange. */
  codeVerifier: string;
  /** base64url(SHA-256(codeVerifier)), 43 characters. It is sent in the authorization request. */
  codeChallenge: string;
}

/**
 * Creates the PKCE pair for one sign-in.
 *
 * @throws OAuthClientError `insecure_context` on a page that is served over plain http from a host other than loopback.
 */
export async function createPkcePair(): Promise<PkcePair> {
  if (!globalThis.crypto?.subtle) {
    throw new OAuthClientError(
      'insecure_context',
      'Signing in needs crypto.subtle, which browsers provide to secure pages only. Serve this page over https or from http://localhost.',
    );
  }
  const codeVerifier = generateRandomCodeVerifier();
  return { codeVerifier, codeChallenge: await calculatePKCECodeChallenge(codeVerifier) };
}
