import type { Request } from 'express';
import { type CallerKey, findActiveApiKey } from '../../domain/api-keys/api-keys.js';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret, isApiKey } from '../../platform/secrets.js';

/** The key of a request, or why there is none that counts. */
export type KeyAuthentication = { apiKey: CallerKey } | { refusal: string };

/**
 * Finds the API key of a request (spec, "API keys"): one Authorization header, `Bearer` in any case, `svc_…`. Read anew
 * for each request, so that revoking a key takes effect at once.
 */
export async function authenticateKey(db: Database, request: Request): Promise<KeyAuthentication> {
  const headers = request.headersDistinct.authorization ?? [];
  if (headers.length === 0) {
    return { refusal: 'The API key is missing; send it as Authorization: Bearer svc_….' };
  }
  if (headers.length > 1) return { refusal: 'The Authorization header is sent more than once.' };
  const [, key = ''] = /^bearer +(\S+)$/i.exec(headers[0] ?? '') ?? [];
  if (!isApiKey(key)) {
    return { refusal: 'The Authorization header holds no API key; send Authorization: Bearer svc_….' };
  }
  const apiKey = await findActiveApiKey(db, hashSecret(key));
  return apiKey === undefined ? { refusal: 'The API key is unknown or revoked.' } : { apiKey };
}
