import { createHash, hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** Encrypts and authenticates small JSON values for cookies. */
export interface Seal {
  /** JWE compact serialization (RFC 7516 section 7.1): `dir` with A256GCM. */
  seal(value: object): Promise<string>;
  /** The value, or undefined for anything that these secrets did not seal for this purpose. */
  open(sealed: string): Promise<unknown>;
}

/**
 * A seal for one purpose. The key is derived from the secret and the purpose, so that what was sealed for one
 * purpose (or by another instance of the kit) opens nowhere else, whatever cookie it is put into.
 * @param secrets The first seals, all open.
 */
export function createSeal(secrets: readonly [string, ...string[]], purpose: string): Seal {
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
    seal: (value) =>
      new CompactEncrypt(encoder.encode(JSON.stringify(value)))
        .setProtectedHeader(header)
        .encrypt(sealing.key),
    async open(sealed) {
      try {
        const { plaintext } = await compactDecrypt(
          sealed,
          ({ kid }) => {
            const key = byKid.get(String(kid));
            if (key === undefined) throw new TypeError('Sealed with a secret that is not known here.');
            return key;
          },
          { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        );
        return JSON.parse(decoder.decode(plaintext));
      } catch {
        // Cookies are the visitor's to write: whatever does not open is the same as no cookie.
        return undefined;
      }
    },
  };
}
