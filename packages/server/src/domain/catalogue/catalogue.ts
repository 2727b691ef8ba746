import type { SellerProductType } from '@latchkey/contract/constants';
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
/** Every product of a seller, oldest first. */
export async function listSellerProducts(db: Database, ownerId: string): Promise<SellerProduct[]> {
  return await db
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'type'])
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('slug')
    .execute();
}

export async function communityExists(db: Database, id: string): Promise<boolean> {
  const row = await db.selectFrom('communities').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export async function productExists(db: Database, id: string): Promise<boolean> {
  const row = await db.selectFrom('products').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Stores a community with its owner's role, in one transaction. False when the id is taken. */
export async function insertCommunity(
  db: Database,
  { id, name, ownerId }: { id: string; name: string; ownerId: string },
  now: number,
): Promise<boolean> {
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
}

export async function findProductOnSale(db: Database, id: string): Promise<ProductOnSale | undefined> {
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
}

/** False when the id is taken, or the slug among the seller's products. */
export async function insertProduct(
  db: Database,
  { id, ownerId, name, slug, type, priceMinor = null, currency = null }: NewProduct,
  now: number,
): Promise<boolean> {
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
}
