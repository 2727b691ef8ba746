import type { SellerProductType } from '@latchkey/contract';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';

/** A product that a user created as a seller. */
interface SellerProduct {
  id: string;
  name: string;
  slug: string;
  /** Null for older products. */
  type: SellerProductType | null;
}

/** A product as its page shows it. */
export interface ProductOnSale extends SellerProduct {
  ownerId: string;
  /** Null for a seller without a name. */
  sellerName: string | null;
  /** In the currency's minor unit; null when it is not for sale. */
  priceMinor: number | null;
  /** ISO 4217; null when it is not for sale. */
  currency: string | null;
}

/** A product to be stored. */
type NewProduct = SellerProduct &
  Pick<ProductOnSale, 'ownerId'> &
  Partial<Pick<ProductOnSale, 'priceMinor' | 'currency'>>;

/** Queries about communities and products: what memberships are for. */
export interface CatalogueStore {
  /** Every product of a seller, oldest first. */
  listProducts(ownerId: string): Promise<SellerProduct[]>;
  hasCommunity(id: string): Promise<boolean>;
  hasProduct(id: string): Promise<boolean>;
  findProduct(id: string): Promise<ProductOnSale | undefined>;
  /** Stores a community with its owner's role, in one transaction. False when the id is taken. */
  createCommunity(community: { id: string; name: string; ownerId: string }, now: number): Promise<boolean>;
  /** False when the id is taken, or the slug among the seller's products. */
  createProduct(product: NewProduct, now: number): Promise<boolean>;
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
    async createCommunity({ id, name, ownerId }, now) {
      return await inTransaction(db, async (transaction) => {
        const created = await transaction
          .insertInto('communities')
          .values({ id, name, created_at: now })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (created === undefined) return false;
        await transaction
          .insertInto('community_roles')
          .values({ community_id: id, user_id: ownerId, role: 'OWNER', is_active: 1 })
          .execute();
        return true;
      });
    },
    async findProduct(id) {
      const row = await db
        .selectFrom('products')
        .innerJoin('users as seller', 'seller.id', 'products.owner_id')
        .selectAll('products')
        .select('seller.name as seller_name')
        .where('products.id', '=', id)
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          ownerId: row.owner_id,
          sellerName: row.seller_name,
          name: row.name,
          slug: row.slug,
          type: row.type,
          priceMinor: row.price_minor,
          currency: row.currency,
        }
      );
    },
    async createProduct({ id, ownerId, name, slug, type, priceMinor = null, currency = null }, now) {
      const created = await db
        .insertInto('products')
        .values({
          id,
          owner_id: ownerId,
          name,
          slug,
          type,
          created_at: now,
          price_minor: priceMinor,
          currency,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return created !== undefined;
    },
  };
}
