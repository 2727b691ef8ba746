import type { ClientCredentials } from '@latchkey/contract';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret, isSameHash } from '../../platform/secrets.js';
import { findClient, type OAuthClient } from './clients.js';

/** The client that proved itself, or why it did not. */
export type ClientAuthentication = { client: OAuthClient } | { refusal: string };

/**
 * Judges the credentials in a body (`client_secret_post`; spec, "POST /oauth/token"): a confidential client must send
 * its secret, a public client must not send any.
 */
export async function authenticateClient(
  db: Database,
  { client_id, client_secret }: ClientCredentials,
): Promise<ClientAuthentication> {
  const client = await findClient(db, client_id);
  if (client === undefined) return { refusal: 'client_id names no registered client.' };
  if (client.secretHash === null) {
    return client_secret === undefined
      ? { client }
      : { refusal: 'This client is public: it has no secret and must not send client_secret.' };
  }
  if (client_secret === undefined) {
    return { refusal: 'client_secret is missing; send it in the body, the Basic header is not read.' };
  }
  return isSameHash(hashSecret(client_secret), client.secretHash)
    ? { client }
    : { refusal: 'client_secret is wrong.' };
}
