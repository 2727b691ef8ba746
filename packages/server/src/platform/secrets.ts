import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

/** A new secret. Its holder receives the text; the database contains only the hash. */
export interface NewSecret {
  readonly text: string;
  readonly hash: string;
}

/** Creates a token, a code or a session id: 256 random bits as base64url. */
export function createOpaqueSecret(): NewSecret {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hashSecret(text) };
}

/** Characters that encode the time at the start of a token: 48 bits of milliseconds. */
const TIME_LENGTH = 8;
const TIMED_TOKEN_LENGTH = TIME_LENGTH + 43;

/**
 * Creates a token: the time, which is no secret, and 256 random bits. Its hash begins with the time too, so tokens from
 * the same time are neighbours in an index. With {@link createOpaqueSecret}, each new token would change another page.
 */
export function createTimedToken(now: number): NewSecret {
  const time = Buffer.alloc(6);
  time.writeUIntBE(now, 0, 6);
  const text = `${time.toString('base64url')}${randomBytes(32).toString('base64url')}`;
  return { text, hash: hashToken(text) };
}

/** Returns the stored form of an access or refresh token, with or without a time. */
export function hashToken(text: string): string {
  if (text.length !== TIMED_TOKEN_LENGTH) return hashSecret(text);
  const time = Buffer.from(text.slice(0, TIME_LENGTH), 'base64url').toString('hex');
  return `${time}.${hash('sha256', text, 'base64url')}`;
}

/** Returns the SHA-256 in hex. The secrets are long and random, so a slow hash is unnecessary. */
export function hashSecret(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares two hashes in constant time, so timing doesn't reveal where they differ. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Creates an id that is greater than all ids of earlier milliseconds (UUID version 7, RFC 9562, section 5.7). Rows
 * that are inserted together have neighbouring entries in an index; random ids would change a page of the index each.
 * The id reveals the time of its creation. Use it only where that is no secret.
 */
export function timeOrderedId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
