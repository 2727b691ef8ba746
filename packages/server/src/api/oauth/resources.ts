import type { Membership, Product, UserIdentity } from '@latchkey/contract';
import { formatTimestamp, type OAuthScope } from '@latchkey/contract/constants';
import type { Request, RequestHandler } from 'express';
import type { Needs } from '../../app/services.js';
import { listSellerProducts } from '../../domain/catalogue/products.js';
import { type ActiveMembership, listActiveMemberships } from '../../domain/memberships/active-memberships.js';
import { type AccessGrant, findAccessGrant } from '../../domain/oauth/token-pairs.js';
import { sendOAuthError } from '../../platform/http/oauth-error.js';

/** `GET /oauth/userinfo`: returns the user's id and e-mail address. Requires no scope. */
export function userinfo(needs: Needs<'clock' | 'db'>): RequestHandler {
  return resource(needs, {
    async read({ userId, email }): Promise<UserIdentity> {
      return { sub: userId, email };
    },
  });
}

/** `GET /oauth/memberships`: returns all active memberships of the user. */
export function memberships(needs: Needs<'clock' | 'db'>): RequestHandler {
  const { db, clock } = needs;
  return resource(needs, {
    scope: 'memberships.read',
    async read({ userId }): Promise<{ memberships: Membership[] }> {
      const active = await listActiveMemberships(db, userId, clock.now());
      return { memberships: active.map(asOAuthView) };
    },
  });
}

/** `GET /oauth/products`: returns all products that the user sells. Purchases are not included. */
export function products(needs: Needs<'clock' | 'db'>): RequestHandler {
  return resource(needs, {
    scope: 'products.read',
    async read({ userId }): Promise<{ products: Product[] }> {
      return { products: await listSellerProducts(needs.db, userId) };
    },
  });
}

function asOAuthView({ id, productType, validFrom, validUntil }: ActiveMembership): Membership {
  return {
    id,
    productType,
    isActive: true,
    validFrom: formatTimestamp(validFrom),
    validUntil: validUntil === null ? null : formatTimestamp(validUntil),
  };
}

/** Endpoint that returns data of the user of an access token. */
interface Resource {
  /**
   * Scope that the token must have.
   *
   * @default none
   */
  scope?: OAuthScope;
  /** Returns the response body for the user of the token. */
  read(access: AccessGrant): Promise<object>;
}

/**
 * Requires a bearer access token (spec, "OAuth 2.0 (sign-in)", 4). Sends 401 `invalid_token` without a valid token and
 * 403 `insufficient_scope` without the scope.
 */
function resource({ db, clock }: Needs<'clock' | 'db'>, { scope, read }: Resource): RequestHandler {
  return async (request, response) => {
    const token = readBearerToken(request);
    const access = token === undefined ? undefined : await findAccessGrant(db, token, clock.now());
    if (access === undefined) {
      const description =
        token === undefined
          ? 'The access token is missing. Send it as Authorization: Bearer.'
          : 'The access token is unknown, expired or revoked.';
      return sendOAuthError(response, { status: 401, error: 'invalid_token', description });
    }
    if (scope !== undefined && !access.scopes.includes(scope)) {
      const description = `The scope ${scope} is required.`;
      return sendOAuthError(response, { status: 403, error: 'insufficient_scope', description });
    }
    response.set('Cache-Control', 'no-store').json(await read(access));
  };
}

/** Returns the token of the `Authorization: Bearer` header. The scheme is case-insensitive (RFC 9110 section 11.1). */
function readBearerToken(request: Request): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(request.get('Authorization') ?? '')?.[1];
}
