import { createHash } from 'node:crypto';
import {
  type ClientCredentials,
  clientCredentialsBody,
  revokedTokenBody,
  type TokenGrant,
  type TokenPair,
  tokenGrantBody,
} from '@latchkey/contract';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { RequestHandler, Response } from 'express';
import type * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { identifyActor } from '../../features/audit/audit.js';
import { findClient, type OAuthClient } from '../../features/clients/clients.js';
import { type PresentedCode, redeemAuthorizationCode } from '../../features/oauth/authorization-codes.js';
import {
  invalidClient,
  invalidGrant,
  invalidRequest,
  type OAuthError,
  sendOAuthError,
} from '../../features/oauth/oauth-error.js';
import { type IssuedTokenPair, revokeToken, rotateTokenPair } from '../../features/oauth/token-pairs.js';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret, isSameHash } from '../../platform/secrets.js';

type CodeGrant = Extract<TokenGrant, { grant_type: 'authorization_code' }>;

const INVALID_CODE = invalidGrant('The authorization code is invalid or expired.');
const INVALID_REFRESH_TOKEN = invalidGrant('The refresh token is invalid, expired, used or revoked.');

/** The spec gives this error of revoke no description (spec, "POST /oauth/revoke"). */
const INVALID_CLIENT: OAuthError = { status: 401, error: 'invalid_client' };

/**
 * `POST /oauth/token` (spec, section of that name): checks `client_id`, then the client's credentials, then the grant.
 * The `Authorization: Basic` header is ignored. The status of a success is 201.
 */
export function token({ db, clock }: Needs<'clock' | 'db'>): RequestHandler {
  return async (request, response) => {
    const body: unknown = request.body ?? {};
    const credentials = clientCredentialsBody.safeParse(body);
    if (!credentials.success) return sendMalformed(response, credentials.error);

    const authentication = await authenticateClient(db, credentials.data);
    if (authentication.kind === 'failed') {
      return sendOAuthError(response, invalidClient(authentication.description));
    }
    const { clientId, type } = authentication.client;

    const parsed = tokenGrantBody.safeParse(body);
    if (!parsed.success) return sendMalformed(response, parsed.error);
    const grant = parsed.data;
    const now = clock.now();
    if (grant.grant_type === 'authorization_code') {
      const check = (code: PresentedCode) => checkRedemption(code, grant, { type, now });
      const redemption = await redeemAuthorizationCode(db, { code: grant.code, clientId, now, check });
      if (redemption.kind === 'issued') return sendTokenPair(response, redemption.tokenPair);
      return sendOAuthError(response, redemption.kind === 'failed' ? redemption.failure : INVALID_CODE);
    }
    const tokenPair = await rotateTokenPair(db, { token: grant.refresh_token, clientId, now });
    if (tokenPair === undefined) return sendOAuthError(response, INVALID_REFRESH_TOKEN);
    sendTokenPair(response, tokenPair);
  };
}

function checkRedemption(
  code: PresentedCode,
  grant: CodeGrant,
  { type, now }: Pick<OAuthClient, 'type'> & { now: number },
): OAuthError | undefined {
  const { code_verifier: verifier } = grant;
  if (now >= code.expires_at) return INVALID_CODE;
  if (grant.redirect_uri !== code.redirect_uri) {
    return invalidGrant('redirect_uri differs from the one in the authorization request.');
  }
  if (code.code_challenge === null) {
    // A verifier without a challenge: an attacker removed the challenge from the request (RFC 9700 section 4.8.2).
    // A public client without one has become public since: nothing would bind the code to it.
    return verifier === undefined && type === 'confidential'
      ? undefined
      : invalidGrant('The code was requested without a code_challenge.');
  }
  if (verifier === undefined) return invalidRequest('code_verifier is missing.');
  return matchesChallenge(verifier, code.code_challenge)
    ? undefined
    : invalidGrant('code_verifier does not match the code_challenge.');
}

/** True if the verifier matches an S256 challenge (RFC 7636 section 4.6). */
function matchesChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return isSameHash(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}

function sendTokenPair(response: Response, { accessToken, refreshToken, scope }: IssuedTokenPair): void {
  const body: TokenPair = {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    scope,
  };
  response.status(201).set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }).json(body);
}

/**
 * `POST /oauth/revoke` (spec, section of that name). Requires a confidential client. Sends 200 with an empty body even
 * if the token doesn't exist. `token_type_hint` is ignored (RFC 7009 section 2.1).
 */
export function revoke({ db, clock }: Needs<'clock' | 'db'>): RequestHandler {
  return async (request, response) => {
    const credentials = clientCredentialsBody.safeParse(request.body ?? {});
    if (!credentials.success || credentials.data.client_secret === undefined) {
      return sendOAuthError(response, INVALID_CLIENT);
    }
    const authentication = await authenticateClient(db, credentials.data);
    if (authentication.kind === 'failed') return sendOAuthError(response, INVALID_CLIENT);

    const revoked = revokedTokenBody.safeParse(request.body);
    if (!revoked.success) return sendMalformed(response, revoked.error);
    const { clientId } = authentication.client;
    await revokeToken(db, { token: revoked.data.token, clientId, now: clock.now() });
    response.status(200).set('Cache-Control', 'no-store').end();
  };
}

/** Describes the first missing or malformed parameter in one sentence. Never quotes the values that were sent. */
function sendMalformed(response: Response, { issues: [issue] }: z.ZodError): void {
  const name = issue?.path.join('.') ?? '';
  const describe = () => {
    if (issue === undefined || name === '') return 'The body must be an object of parameters.';
    if (name === 'grant_type') return 'grant_type must be authorization_code or refresh_token.';
    // An empty parameter counts as missing. A repeated parameter is an array.
    if (issue.code === 'invalid_type') return `${name} is missing or is not a single string.`;
    return `${name} ${issue.message}.`;
  };
  sendOAuthError(response, invalidRequest(describe()));
}

type ClientAuthenticationResult =
  | { kind: 'authenticated'; client: OAuthClient }
  | { kind: 'failed'; description: string };

/**
 * Checks the credentials in a request body (`client_secret_post`; spec, "POST /oauth/token"). A confidential client
 * must send its secret, and a public client must not send one.
 */
async function authenticateClient(
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
