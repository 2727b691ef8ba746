import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Form of a token: long enough to resist guessing, and safe in a header, an environment file and a shell. */
const TOKEN = /^[A-Za-z0-9_-]{24,200}$/;

/** Creates a token of 256 random bits. */
export function createControlToken(): string {
  return `sbx_${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns a check of presented tokens. It keeps only the hash, and compares in constant time.
 *
 * @throws Error if the token is too short or has other characters.
 */
export function tokenCheck(token: string): (presented: string) => boolean {
  if (!TOKEN.test(token)) {
    throw new Error(
      'Option "controlToken" (LATCHKEY_SANDBOX_TOKEN) is not usable: use 24 to 200 letters, digits, - or _.',
    );
  }
  const expected = sha256(token);
  return (presented) => timingSafeEqual(sha256(presented), expected);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
