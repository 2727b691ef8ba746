import { clientCredentialsBody, revokedTokenBody } from '@latchkey/contract';
import type { RequestHandler } from 'express';
import { authenticateClient } from '../../domain/oauth/client-authentication.js';
import { revokeToken } from '../../domain/oauth/token-pairs.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { invalidRequest, type OAuthError, sendOAuthError } from '../../platform/http/oauth-error.js';
import { describeBodyError } from './describe-body-error.js';

interface RevokeNeeds {
  readonly clock: Clock;
  readonly db: Database;
}

/** The spec gives this error no description (spec, "POST /oauth/revoke"). */
const INVALID_CLIENT: OAuthError = { status: 401, error: 'invalid_client' };

/**
 * `POST /oauth/revoke` (spec, section of that name). Requires a confidential client. Sends 200 with an empty body even if
 * the token does not exist. `token_type_hint` is ignored (RFC 7009 section 2.1).
 */
export function revoke({ db, clock }: RevokeNeeds): RequestHandler {
  return async (request, response) => {
    const credentials = clientCredentialsBody.safeParse(request.body ?? {});
    if (!credentials.success || credentials.data.client_secret === undefined) {
      return sendOAuthError(response, INVALID_CLIENT);
    }
    const authentication = await authenticateClient(db, credentials.data);
    if (authentication.kind === 'failed') return sendOAuthError(response, INVALID_CLIENT);

    const revoked = revokedTokenBody.safeParse(request.body);
    if (!revoked.success) return sendOAuthError(response, invalidRequest(describeBodyError(revoked.error)));
    const { clientId } = authentication.client;
    await revokeToken(db, { token: revoked.data.token, clientId, now: clock.now() });
    response.status(200).set('Cache-Control', 'no-store').end();
  };
}
