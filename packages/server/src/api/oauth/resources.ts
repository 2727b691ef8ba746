import type { Membership, Product, UserIdentity } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import { listSellerProducts } from '../../domain/catalogue/catalogue.js';
import { type ActiveMembership, listActiveMemberships } from '../../domain/memberships/memberships.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { resource } from './access-token.js';

interface ResourcesNeeds {
  readonly clock: Clock;
  readonly db: Database;
}

/** `GET /oauth/userinfo`: who the user is; needs no scope. */
export function userinfo(needs: ResourcesNeeds): RequestHandler {
  return resource(needs, {
    async answer({ userId, email }): Promise<UserIdentity> {
      return { sub: userId, email };
    },
  });
}

/** `GET /oauth/memberships`: what the user has access to now, complete. */
export function memberships(needs: ResourcesNeeds): RequestHandler {
  const { db, clock } = needs;
  return resource(needs, {
    scope: 'memberships.read',
    async answer({ userId }): Promise<{ memberships: Membership[] }> {
      const active = await listActiveMemberships(db, userId, clock.now());
      return { memberships: active.map(asOAuthView) };
    },
  });
}

/** `GET /oauth/products`: what the user sells, not what they bought; complete. */
export function products(needs: ResourcesNeeds): RequestHandler {
  return resource(needs, {
    scope: 'products.read',
    async answer({ userId }): Promise<{ products: Product[] }> {
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
