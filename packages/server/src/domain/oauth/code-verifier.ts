import { createHash } from 'node:crypto';
import { isSameHash } from '../../platform/secrets.js';

/** True if the verifier matches an S256 challenge (RFC 7636 section 4.6). */
export function matchesChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return isSameHash(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}
