import { createHash } from 'node:crypto';
import { clientCredentialsBody, type TokenGrant, type TokenPair, tokenGrantBody } from '@latchkey/contract';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import type { Needs } from '../../app/services.js';
import { type PresentedCode, redeemAuthorizationCode } from '../../domain/oauth/authorization-codes.js';
import { authenticateClient } from '../../domain/oauth/client-authentication.js';
import type { IssuedTokenPair } from '../../domain/oauth/new-token-pair.js';
import { rotateTokenPair } from '../../domain/oauth/token-pairs.js';
import {
  invalidClient,
  invalidGrant,
  invalidRequest,
  type OAuthError,
  sendOAuthError,
} from '../../platform/http/oauth-error.js';
import { isSameHash } from '../../platform/secrets.js';
import { describeBodyError } from './describe-body-error.js';

type CodeGrant = Extract<TokenGrant, { grant_type: 'authorization_code' }>;
type RefreshGrant = Extract<TokenGrant, { grant_type: 'refresh_token' }>;
type GrantResult =
  | { readonly kind: 'issued'; readonly tokenPair: IssuedTokenPair }
  | { readonly kind: 'failed'; readonly error: OAuthError };

const INVALID_CODE = 'The authorization code is invalid or expired.';
const INVALID_REFRESH_TOKEN = 'The refresh token is invalid, expired, used or revoked.';

/**
 * `POST /oauth/token` (spec, section of that name): checks `client_id`, then the client's credentials, then the grant.
 * The `Authorization: Basic` header is ignored. A success has the status 201.
 */
export function token(needs: Needs<'clock' | 'db'>): RequestHandler {
  return async (request, response) => {
    const result = await grantTokens(needs, request.body ?? {});
    if (result.kind === 'failed') return sendOAuthError(response, result.error);
    const { accessToken, refreshToken, scope } = result.tokenPair;
    const body: TokenPair = {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
      scope,
    };
    response.status(201).set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }).json(body);
  };
}

async function grantTokens(needs: Needs<'clock' | 'db'>, body: unknown): Promise<GrantResult> {
  const credentials = clientCredentialsBody.safeParse(body);
  if (!credentials.success) return failed(invalidRequest(describeBodyError(credentials.error)));

  const authentication = await authenticateClient(needs.db, credentials.data);
  if (authentication.kind === 'failed') return failed(invalidClient(authentication.description));
  const { clientId } = authentication.client;

  const grant = tokenGrantBody.safeParse(body);
  if (!grant.success) return failed(invalidRequest(describeBodyError(grant.error)));
  return grant.data.grant_type === 'authorization_code'
    ? await redeemCode(needs, clientId, grant.data)
    : await refresh(needs, clientId, grant.data);
}

async function redeemCode(
  { db, clock }: Needs<'clock' | 'db'>,
  clientId: string,
  grant: CodeGrant,
): Promise<GrantResult> {
  const now = clock.now();
  const redemption = await redeemAuthorizationCode(db, {
    code: grant.code,
    clientId,
    now,
    check: (code) => checkRedemption(code, grant, now),
  });
  if (redemption.kind === 'issued') return redemption;
  return failed(redemption.kind === 'failed' ? redemption.failure : invalidGrant(INVALID_CODE));
}

/** Returns the first error in the redemption of a code that was not redeemed before. */
function checkRedemption(code: PresentedCode, grant: CodeGrant, now: number): OAuthError | undefined {
  const { code_verifier: verifier } = grant;
  if (now >= code.expiresAt) return invalidGrant(INVALID_CODE);
  if (grant.redirect_uri !== code.redirectUri) {
    return invalidGrant('redirect_uri differs from the one in the authorization request.');
  }
  if (code.codeChallenge === null) {
    // A verifier without a challenge: an attacker removed the challenge from the request (RFC 9700 section 4.8.2).
    return verifier === undefined
      ? undefined
      : invalidGrant('The code was requested without a code_challenge.');
  }
  if (verifier === undefined) return invalidRequest('code_verifier is missing.');
  return matchesChallenge(verifier, code.codeChallenge)
    ? undefined
    : invalidGrant('code_verifier does not match the code_challenge.');
}

async function refresh(
  { db, clock }: Needs<'clock' | 'db'>,
  clientId: string,
  grant: RefreshGrant,
): Promise<GrantResult> {
  const tokenPair = await rotateTokenPair(db, {
    token: grant.refresh_token,
    clientId,
    now: clock.now(),
  });
  return tokenPair === undefined
    ? failed(invalidGrant(INVALID_REFRESH_TOKEN))
    : { kind: 'issued', tokenPair };
}

function failed(error: OAuthError): GrantResult {
  return { kind: 'failed', error };
}

/** True if the verifier matches an S256 challenge (RFC 7636 section 4.6). */
function matchesChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return isSameHash(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}
