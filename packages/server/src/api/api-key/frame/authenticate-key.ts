import type { Request } from 'express';
import type { Needs } from '../../../app/services.js';
import { type CallerKey, findActiveApiKey } from '../../../domain/api-keys/api-keys.js';
import { hashSecret, isApiKey } from '../../../platform/secrets.js';
import { type Rejection, rejected } from './endpoint-result.js';

/** API key of a request, or the rejection of a request without a valid key. */
export type KeyAuthentication = { readonly kind: 'authenticated'; readonly apiKey: CallerKey } | Rejection;

/**
 * Finds the API key of a request (spec, "API keys"): one Authorization header, `Bearer` in any case, then the key.
 * The key is read from the database for each request, so that a revocation takes effect at once.
 */
export async function authenticateKey(
  { db, serviceNames: { apiKeyPrefix } }: Needs<'db' | 'serviceNames'>,
  request: Request,
): Promise<KeyAuthentication> {
  const headers = request.headersDistinct.authorization ?? [];
  if (headers.length === 0) {
    return rejected(401, `The API key is missing. Send it as Authorization: Bearer ${apiKeyPrefix}….`);
  }
  if (headers.length > 1) return rejected(401, 'The Authorization header is sent more than once.');
  const [, key = ''] = /^bearer +(\S+)$/i.exec(headers[0] ?? '') ?? [];
  if (!isApiKey(key, apiKeyPrefix)) {
    return rejected(
      401,
      `The Authorization header has no API key. Send Authorization: Bearer ${apiKeyPrefix}….`,
    );
  }
  const apiKey = await findActiveApiKey(db, hashSecret(key));
  return apiKey === undefined
    ? rejected(401, 'The API key is unknown or revoked.')
    : { kind: 'authenticated', apiKey };
}
