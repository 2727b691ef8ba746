import type { Database } from '../../platform/database/open-database.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import type { AuthenticatorApp } from './authenticator-app.js';

/** Time for which a browser is proven after it entered a second factor, in seconds. */
export const PROVEN_BROWSER_LIFETIME_SECONDS = 180 * 24 * 3600;

interface ProvenBrowser {
  /** Authenticator app of the user. */
  app: AuthenticatorApp;
  provenSecret: string;
}

/**
 * Returns the stored form of a secret. The prefix keeps it apart from the secrets of known browsers, which the mailbox alone
 * proves. The time of the set-up ends the proof with the set-up.
 */
function hashProof({ app: { user_id, created_at }, provenSecret }: ProvenBrowser): string {
  return hashSecret(`second factor.${user_id}.${created_at}.${provenSecret}`);
}

/**
 * Creates a secret for a browser that has just entered a second factor, and returns it. It replaces an earlier one. A proven browser
 * has an allowance of its own for wrong codes. The secret does not sign in.
 *
 * @param earlier secret that the browser has sent.
 */
export async function rememberProvenBrowser(
  transaction: Database,
  { app, earlier }: { app: AuthenticatorApp; earlier: string | undefined },
  now: number,
): Promise<string> {
  if (earlier !== undefined) {
    const earlierHash = hashProof({ app, provenSecret: earlier });
    await transaction.deleteFrom('known_browsers').where('secret_hash', '=', earlierHash).execute();
  }
  const { text } = createOpaqueSecret();
  const { email } = await transaction
    .selectFrom('users')
    .select('email')
    .where('id', '=', app.user_id)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('known_browsers')
    .values({
      secret_hash: hashProof({ app, provenSecret: text }),
      email: email ?? '',
      expires_at: now + PROVEN_BROWSER_LIFETIME_SECONDS * 1000,
    })
    .execute();
  return text;
}

/** Returns the identifier of a browser that entered a second factor of the current set-up before. */
export async function findProvenBrowser(db: Database, proof: ProvenBrowser, now: number) {
  const row = await db
    .selectFrom('known_browsers')
    .select('secret_hash')
    .where('secret_hash', '=', hashProof(proof))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.secret_hash;
}
