import type { Membership, Product, UserIdentity } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import { listSellerProducts } from '../../domain/catalogue/products.js';
import { type ActiveMembership, listActiveMemberships } from '../../domain/memberships/active-memberships.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { resource } from './access-token.js';

interface ResourcesNeeds {
  readonly clock: Clock;
  readonly db: Database;
}

/** `GET /oauth/userinfo`: returns the user's id and e-mail address. Requires no scope. */
export function userinfo(needs: ResourcesNeeds): RequestHandler {
  return resource(needs, {
    async read({ userId, email }): Promise<UserIdentity> {
      return { sub: userId, email };
    },
  });
}

/** `GET /oauth/memberships`: returns all active memberships of the user. */
export function memberships(needs: ResourcesNeeds): RequestHandler {
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
export function products(needs: ResourcesNeeds): RequestHandler {
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
