import { formatTimestamp, type Membership, type Product, type UserIdentity } from '@latchkey/contract';
import type { RequestHandler } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { listSellerProducts } from '../../domain/catalogue/catalogue.js';
import { type ActiveMembership, listActiveMemberships } from '../../domain/memberships/memberships.js';
import { resource } from './access-token.js';

/** `GET /oauth/userinfo`: who the user is; needs no scope. */
export function userinfo(dependencies: Dependencies): RequestHandler {
  return resource(dependencies, {
    async answer({ userId, email }): Promise<UserIdentity> {
      return { sub: userId, email };
    },
  });
}

/** `GET /oauth/memberships`: what the user has access to now, complete. */
export function memberships(dependencies: Dependencies): RequestHandler {
  const { db, clock } = dependencies;
  return resource(dependencies, {
    scope: 'memberships.read',
    async answer({ userId }): Promise<{ memberships: Membership[] }> {
      const active = await listActiveMemberships(db, userId, clock.now());
      return { memberships: active.map(asOAuthView) };
    },
  });
}

/** `GET /oauth/products`: what the user sells, not what they bought; complete. */
export function products(dependencies: Dependencies): RequestHandler {
  return resource(dependencies, {
    scope: 'products.read',
    async answer({ userId }): Promise<{ products: Product[] }> {
      return { products: await listSellerProducts(dependencies.db, userId) };
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
