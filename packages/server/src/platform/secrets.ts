import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** A secret on its way out: its holder gets the text, the database only the hash. */
export interface NewSecret {
  readonly text: string;
  readonly hash: string;
}

/** 256 random bits as base64url: a token, a code or a session id. */
export function createOpaqueSecret(): NewSecret {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hashSecret(text) };
}

/** A client id: `oac_` and 24 hex characters (spec, "Resources and their fields"). Not a secret. */
export function createClientId(): string {
  return `oac_${randomBytes(12).toString('hex')}`;
}

/** A client secret: `ocs_` and 48 hex characters (spec, "Resources and their fields"). */
export function createClientSecret(): NewSecret {
  const text = `ocs_${randomBytes(24).toString('hex')}`;
  return { text, hash: hashSecret(text) };
}

/** An API key: `svc_` and 256 random bits as base64url (spec, "API keys", 1); or the one that was chosen. */
export function generateApiKey(chosen = `svc_${randomBytes(32).toString('base64url')}`): NewSecret {
  return { text: chosen, hash: hashSecret(chosen) };
}

/** True if the text has the form of an API key. */
export function isApiKey(text: string): boolean {
  return /^svc_[A-Za-z0-9_-]{43}$/.test(text);
}

/** Six random digits. Too few to be hashed by themselves: see `hashSignInCode`. */
export function createSixDigits(): string {
  return randomInt(1_000_000).toString().padStart(6, '0');
}

/** SHA-256 in hex. Fast on purpose: what is hashed is random and long, not chosen by a person. */
export function hashSecret(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * The stored form of a sign-in code. The attempt's secret, which only the browser keeps, goes into the hash: who reads
 * the database cannot find six digits by trying them all.
 */
export function hashSignInCode(attemptSecret: string, code: string): string {
  return hashSecret(`${attemptSecret}.${code}`);
}

/** Compares two hashes in a time that does not tell where they differ. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
