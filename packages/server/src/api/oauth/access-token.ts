import type { OAuthScope } from '@latchkey/contract/constants';
import type { Request, RequestHandler } from 'express';
import { type AccessGrant, findAccessGrant } from '../../domain/oauth/token-pairs.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { sendOAuthError } from '../../platform/http/oauth-error.js';

interface AccessTokenNeeds {
  readonly clock: Clock;
  readonly db: Database;
}

/** What a resource endpoint needs and does. */
export interface Resource {
  /** The scope that the token must have. Default none. */
  scope?: OAuthScope;
  /** Makes the answer's body for the one the token was issued for. */
  answer(access: AccessGrant): Promise<object>;
}

/** A resource behind a bearer access token (spec, "OAuth 2.0 (sign-in)", 4): 401 `invalid_token`, 403 `insufficient_scope`. */
export function resource({ db, clock }: AccessTokenNeeds, { scope, answer }: Resource): RequestHandler {
  return async (request, response) => {
    const token = readBearerToken(request);
    const access = token === undefined ? undefined : await findAccessGrant(db, token, clock.now());
    if (access === undefined) {
      const description =
        token === undefined
          ? 'The access token is missing; send it as Authorization: Bearer.'
          : 'The access token is unknown, expired or revoked.';
      return sendOAuthError(response, { status: 401, error: 'invalid_token', description });
    }
    if (scope !== undefined && !access.scopes.includes(scope)) {
      const description = `The scope ${scope} is required.`;
      return sendOAuthError(response, { status: 403, error: 'insufficient_scope', description });
    }
    response.set('Cache-Control', 'no-store').json(await answer(access));
  };
}

/** The token of an `Authorization: Bearer` header; the scheme's case does not matter (RFC 9110 section 11.1). */
function readBearerToken(request: Request): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(request.get('Authorization') ?? '')?.[1];
}
