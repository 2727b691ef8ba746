import type { OAuthErrorCode } from '@latchkey/contract/constants';
import type { Response } from 'express';

export interface OAuthError {
  status: 400 | 401 | 403;
  error: Exclude<OAuthErrorCode, 'invalid_scope' | 'access_denied'>;
  /** Message for developers. Only `invalid_client` of the revocation endpoint has none. */
  description?: string;
}

/** Sends an OAuth error as bare JSON, with `no-store` and without WWW-Authenticate (spec, "OAuth 2.0 (sign-in)", 4). */
export function sendOAuthError(response: Response, { status, error, description }: OAuthError): void {
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ error, ...(description !== undefined && { error_description: description }) });
}

export function invalidRequest(description: string): OAuthError {
  return { status: 400, error: 'invalid_request', description };
}

export function invalidClient(description: string): OAuthError {
  return { status: 401, error: 'invalid_client', description };
}

export function invalidGrant(description: string): OAuthError {
  return { status: 400, error: 'invalid_grant', description };
}
