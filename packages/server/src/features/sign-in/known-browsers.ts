import type { Database } from '../../platform/database/open-database.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';

export const KNOWN_BROWSER_LIFETIME_SECONDS = 180 * 24 * 3600;
export const KNOWN_BROWSER_LINK_LIFETIME_SECONDS = 24 * 3600;

interface KnownBrowser {
  readonly email: string;
  readonly lifetimeSeconds: number;
}

/** A known browser has a separate allowance for codes. The secret doesn't sign in. */
export async function rememberBrowser(db: Database, { email, lifetimeSeconds }: KnownBrowser, now: number) {
  const { text, hash } = createOpaqueSecret();
  await db
    .insertInto('known_browsers')
    .values({ secret_hash: hash, email, expires_at: now + lifetimeSeconds * 1000 })
    .execute();
  return text;
}

export async function findKnownAddress(db: Database, secret: string, now: number) {
  const row = await db
    .selectFrom('known_browsers')
    .select('email')
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.email;
}

export async function forgetBrowser(db: Database, secret: string): Promise<void> {
  await db.deleteFrom('known_browsers').where('secret_hash', '=', hashSecret(secret)).execute();
}
