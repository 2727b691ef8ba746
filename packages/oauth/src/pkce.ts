import { OAuthClientError } from './oauth-client-error.js';
import { encodeBase64Url, randomText } from './random-text.js';

/** Proof that who redeems a code is who asked for it (RFC 7636). */
export interface PkcePair {
  /** The secret of one sign-in, 43 characters; sent only when the code is exchanged. */
  codeVerifier: string;
  /** base64url(SHA-256(codeVerifier)), 43 characters; sent in the authorization request. */
  codeChallenge: string;
}

/**
 * Makes the pair for one sign-in.
 *
 * @throws OAuthClientError `insecure_context` in a page on plain http that is not on a loopback host.
 */
export async function createPkcePair(): Promise<PkcePair> {
  if (!globalThis.crypto?.subtle) {
    throw new OAuthClientError(
      'insecure_context',
      'Signing in needs crypto.subtle, which browsers give to secure pages only: serve this one over https or from http://localhost.',
    );
  }
  const codeVerifier = randomText();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  return { codeVerifier, codeChallenge: encodeBase64Url(new Uint8Array(digest)) };
}
