import type { ClientCredentials } from '@latchkey/contract';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret, isSameHash } from '../../platform/secrets.js';
import { identifyActor } from '../audit/audit.js';
import { findClient, type OAuthClient } from './clients.js';

export type ClientAuthenticationResult =
  | { kind: 'authenticated'; client: OAuthClient }
  /** The description is the `error_description` for the caller. */
  | { kind: 'failed'; description: string };

/**
 * Checks the credentials in a request body (`client_secret_post`; spec, "POST /oauth/token"). A confidential client must
 * send its secret. A public client must not send one.
 */
export async function authenticateClient(
  db: Database,
  { client_id, client_secret }: ClientCredentials,
): Promise<ClientAuthenticationResult> {
  const client = await findClient(db, client_id);
  if (client === undefined) return failed('client_id names no registered client.');
  if (client.secretHash === null) {
    return client_secret === undefined
      ? authenticated(client)
      : failed('This client is public: it has no secret and must not send client_secret.');
  }
  if (client_secret === undefined) {
    return failed('client_secret is missing. Send it in the body: the Authorization header is not read.');
  }
  return isSameHash(hashSecret(client_secret), client.secretHash)
    ? authenticated(client)
    : failed('client_secret is wrong.');
}

function authenticated(client: OAuthClient): ClientAuthenticationResult {
  identifyActor('client', client.clientId);
  return { kind: 'authenticated', client };
}

function failed(description: string): ClientAuthenticationResult {
  return { kind: 'failed', description };
}
