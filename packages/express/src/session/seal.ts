import { createHash, hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** Encrypts and authenticates small JSON values for cookies. */
export type Seal = ReturnType<typeof createSeal>;

/**
 * Creates a seal for one purpose. Its keys are derived from secret and purpose, so a value that was sealed for another
 * purpose or another instance doesn't open.
 * @param secrets the first encrypts. All decrypt, which allows rotation.
 */
export function createSeal(secrets: readonly [string, ...string[]], purpose: string) {
  const keys = secrets.map((secret) => {
    const key = new Uint8Array(hkdfSync('sha256', secret, '', `latchkey ${purpose}`, 32));
    return { key, kid: createHash('sha256').update(key).digest('base64url').slice(0, 8) };
  });
  const byKid = new Map(keys.map(({ key, kid }) => [kid, key]));
  const [sealing] = keys;
  if (sealing === undefined) throw new TypeError('createSeal needs at least one secret.');
  const header = { alg: 'dir', enc: 'A256GCM', kid: sealing.kid };
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  return {
    /** JWE compact serialization (RFC 7516 section 7.1): `dir` with A256GCM. */
    seal: (value: object): Promise<string> =>
      new CompactEncrypt(encoder.encode(JSON.stringify(value)))
        .setProtectedHeader(header)
        .encrypt(sealing.key),
    /** Returns the value, or undefined unless it's exactly what was sealed with these secrets for this purpose. */
    async open(sealed: string): Promise<unknown> {
      try {
        if (!isCanonical(sealed)) return undefined;
        const { plaintext } = await compactDecrypt(
          sealed,
          ({ kid }) => {
            const key = byKid.get(String(kid));
            if (key === undefined) throw new TypeError('Sealed with an unknown secret.');
            return key;
          },
          { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        );
        return JSON.parse(decoder.decode(plaintext));
      } catch {
        // Visitors can send any cookie. One that doesn't open counts as absent.
        return undefined;
      }
    },
  };
}

/**
 * True if a string is spelled as {@link createSeal} spells it. Decoders ignore padding, spaces and the unused bits of
 * the last character. Without this check, a value would have several spellings, and what is remembered about one
 * wouldn't count for the others.
 */
function isCanonical(sealed: string): boolean {
  const parts = sealed.split('.');
  return (
    parts.length === 5 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}
