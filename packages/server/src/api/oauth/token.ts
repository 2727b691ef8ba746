import { clientCredentialsBody, type TokenGrant, type TokenPair, tokenGrantBody } from '@latchkey/contract';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import { type PresentedCode, redeemAuthorizationCode } from '../../domain/oauth/authorization-codes.js';
import { authenticateClient } from '../../domain/oauth/client-authentication.js';
import { matchesChallenge } from '../../domain/oauth/code-verifier.js';
import type { IssuedTokenPair } from '../../domain/oauth/new-token-pair.js';
import { rotateTokenPair } from '../../domain/oauth/token-pairs.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import {
  invalidClient,
  invalidGrant,
  invalidRequest,
  type OAuthError,
  sendOAuthError,
} from '../../platform/http/oauth-error.js';
import { describeBodyError } from './describe-body-error.js';

interface TokenNeeds {
  readonly clock: Clock;
  readonly db: Database;
}

type CodeGrant = Extract<TokenGrant, { grant_type: 'authorization_code' }>;
type RefreshGrant = Extract<TokenGrant, { grant_type: 'refresh_token' }>;
type Outcome = { tokenPair: IssuedTokenPair } | { refusal: OAuthError };

const INVALID_CODE = 'The authorization code is invalid or expired.';
const INVALID_REFRESH_TOKEN = 'The refresh token is invalid, expired, used or revoked.';

/**
 * `POST /oauth/token` (spec, section of that name): `client_id`, then the client's credentials, then the grant.
 * The Basic header is not read. Answers 201.
 */
export function token(needs: TokenNeeds): RequestHandler {
  return async (request, response) => {
    const outcome = await answerTokenRequest(needs, request.body ?? {});
    if ('refusal' in outcome) return sendOAuthError(response, outcome.refusal);
    const { accessToken, refreshToken, scope } = outcome.tokenPair;
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

async function answerTokenRequest(needs: TokenNeeds, body: unknown): Promise<Outcome> {
  const credentials = clientCredentialsBody.safeParse(body);
  if (!credentials.success) return { refusal: invalidRequest(describeBodyError(credentials.error)) };

  const authentication = await authenticateClient(needs.db, credentials.data);
  if ('refusal' in authentication) return { refusal: invalidClient(authentication.refusal) };
  const { clientId } = authentication.client;

  const grant = tokenGrantBody.safeParse(body);
  if (!grant.success) return { refusal: invalidRequest(describeBodyError(grant.error)) };
  return grant.data.grant_type === 'authorization_code'
    ? await redeemCode(needs, clientId, grant.data)
    : await refresh(needs, clientId, grant.data);
}

async function redeemCode({ db, clock }: TokenNeeds, clientId: string, grant: CodeGrant): Promise<Outcome> {
  const now = clock.now();
  const outcome = await redeemAuthorizationCode(db, {
    code: grant.code,
    clientId,
    now,
    judge: (code) => judgeRedemption(code, grant, now),
  });
  if (outcome.kind === 'issued') return { tokenPair: outcome.tokenPair };
  return { refusal: outcome.kind === 'refused' ? outcome.refusal : invalidGrant(INVALID_CODE) };
}

/** Whether a living code may be redeemed so; the first refusal counts. */
function judgeRedemption(code: PresentedCode, grant: CodeGrant, now: number): OAuthError | undefined {
  const { code_verifier: verifier } = grant;
  if (now >= code.expiresAt) return invalidGrant(INVALID_CODE);
  if (grant.redirect_uri !== code.redirectUri) {
    return invalidGrant('redirect_uri is not the one that the code was requested with.');
  }
  if (code.codeChallenge === null) {
    // A verifier without a challenge means that somebody removed the challenge on its way (RFC 9700 section 4.8.2).
    return verifier === undefined
      ? undefined
      : invalidGrant('The code was requested without a code_challenge.');
  }
  if (verifier === undefined) return invalidRequest('code_verifier is missing.');
  return matchesChallenge(verifier, code.codeChallenge)
    ? undefined
    : invalidGrant('code_verifier does not match the code_challenge.');
}

async function refresh({ db, clock }: TokenNeeds, clientId: string, grant: RefreshGrant): Promise<Outcome> {
  const tokenPair = await rotateTokenPair(db, {
    token: grant.refresh_token,
    clientId,
    now: clock.now(),
  });
  return tokenPair === undefined ? { refusal: invalidGrant(INVALID_REFRESH_TOKEN) } : { tokenPair };
}
