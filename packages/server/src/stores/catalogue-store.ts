import { randomUUID } from 'node:crypto';
import type { SellerProductType } from '@latchkey/contract';
import type { Database } from '../database/open-database.js';

/** A product that a user created as a seller. */
interface SellerProduct {
  id: string;
  name: string;
  slug: string;
  /** Null for older products. */
  type: SellerProductType | null;
}

/** Queries about communities and products: what memberships are for. */
export interface CatalogueStore {
  /** Every product of a seller, oldest first. */
  listProducts(ownerId: string): Promise<SellerProduct[]>;
  hasCommunity(id: string): Promise<boolean>;
  hasProduct(id: string): Promise<boolean>;
  /** Stores a community with its owner's role, in one transaction. */
  createCommunity(
    community: { id?: string | undefined; name: string; ownerId: string },
    now: number,
  ): Promise<string>;
  createProduct(
    product: Omit<SellerProduct, 'id'> & { id?: string | undefined; ownerId: string },
    now: number,
  ): Promise<string>;
}

export function createCatalogueStore(db: Database): CatalogueStore {
  return {
    async listProducts(ownerId) {
      return await db
        .selectFrom('products')
        .select(['id', 'name', 'slug', 'type'])
        .where('owner_id', '=', ownerId)
        .orderBy('created_at')
        .orderBy('slug')
        .execute();
    },
    async hasCommunity(id) {
      const row = await db.selectFrom('communities').select('id').where('id', '=', id).executeTakeFirst();
      return row !== undefined;
    },
    async hasProduct(id) {
      const row = await db.selectFrom('products').select('id').where('id', '=', id).executeTakeFirst();
      return row !== undefined;
    },
    async createCommunity({ id = randomUUID(), name, ownerId }, now) {
      await db.transaction().execute(async (transaction) => {
        await transaction.insertInto('communities').values({ id, name, created_at: now }).execute();
        await transaction
          .insertInto('community_roles')
          .values({ community_id: id, user_id: ownerId, role: 'OWNER', is_active: 1 })
          .execute();
      });
      return id;
    },
    async createProduct({ id = randomUUID(), ownerId, name, slug, type }, now) {
      await db
        .insertInto('products')
        .values({ id, owner_id: ownerId, name, slug, type, created_at: now })
        .execute();
      return id;
    },
  };
}
