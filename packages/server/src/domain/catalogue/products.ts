import { randomUUID } from 'node:crypto';
import type { SellerProductType } from '@latchkey/contract/constants';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema.js';
import { inTransaction } from '../../platform/database/transaction.js';

/** What a product costs; `null` when it is not for sale. */
export type ProductPrice = { priceMinor: number; currency: string } | null;

/** What a seller says of a product. */
export interface ProductSettings {
  name: string;
  /** Storefront URL slug; the seller's own products have different ones. */
  slug: string;
  type: SellerProductType | null;
  price: ProductPrice;
}

/** A product of a seller. */
export interface Product extends ProductSettings {
  id: string;
}

/** A seller and one of their products. Whether it is theirs is asked of the database, every time. */
export interface ProductOwner {
  productId: string;
  userId: string;
}

/** Every product of a seller, by name. */
export async function listProducts(db: Database, userId: string): Promise<Product[]> {
  const rows = await db
    .selectFrom('products')
    .selectAll()
    .where('owner_id', '=', userId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(asProduct);
}

/** The product, if it is the user's. */
export async function findProduct(
  db: Database,
  { productId, userId }: ProductOwner,
): Promise<Product | undefined> {
  const row = await db
    .selectFrom('products')
    .selectAll()
    .where('id', '=', productId)
    .where('owner_id', '=', userId)
    .executeTakeFirst();
  return row && asProduct(row);
}

/** Creates a product and gives its id; `undefined` when the seller has one with this slug. */
export async function createProduct(
  db: Database,
  userId: string,
  { product, now }: { product: ProductSettings; now: number },
): Promise<string | undefined> {
  const created = await db
    .insertInto('products')
    .values({ id: randomUUID(), owner_id: userId, created_at: now, ...asColumns(product) })
    .onConflict((conflict) => conflict.columns(['owner_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return created?.id;
}

/** What became of a change to a product. */
export type ProductChangeOutcome = 'changed' | 'slug-taken' | 'unknown';

/** Changes a product of the seller. */
export async function changeProduct(
  db: Database,
  { productId, userId }: ProductOwner,
  product: ProductSettings,
): Promise<ProductChangeOutcome> {
  return await inTransaction(db, async (transaction) => {
    const holder = await transaction
      .selectFrom('products')
      .select('id')
      .where('owner_id', '=', userId)
      .where('slug', '=', product.slug)
      .executeTakeFirst();
    if (holder !== undefined && holder.id !== productId) {
      return (await findProduct(transaction, { productId, userId })) === undefined ? 'unknown' : 'slug-taken';
    }
    const changed = await transaction
      .updateTable('products')
      .set(asColumns(product))
      .where('id', '=', productId)
      .where('owner_id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    return changed === undefined ? 'unknown' : 'changed';
  });
}

/** What became of a deletion. `in-use`: somebody has or had it, or tried to pay for it. */
export type ProductDeletionOutcome = 'deleted' | 'in-use' | 'unknown';

/** Deletes a product that nobody ever bought: who did would lose it, and the seller the record of the sale. */
export async function deleteProduct(
  db: Database,
  { productId, userId }: ProductOwner,
): Promise<ProductDeletionOutcome> {
  return await inTransaction(db, async (transaction) => {
    if ((await findProduct(transaction, { productId, userId })) === undefined) return 'unknown';
    const membership = await transaction
      .selectFrom('memberships')
      .select('id')
      .where('product_id', '=', productId)
      .limit(1)
      .executeTakeFirst();
    const payment = await transaction
      .selectFrom('payments')
      .select('id')
      .where('product_id', '=', productId)
      .limit(1)
      .executeTakeFirst();
    if (membership !== undefined || payment !== undefined) return 'in-use';
    await transaction.deleteFrom('products').where('id', '=', productId).execute();
    return 'deleted';
  });
}

function asColumns({ name, slug, type, price }: ProductSettings) {
  return { name, slug, type, price_minor: price?.priceMinor ?? null, currency: price?.currency ?? null };
}

function asProduct(row: Selectable<Schema['products']>): Product {
  const { id, name, slug, type, price_minor: priceMinor, currency } = row;
  const price = priceMinor === null || currency === null ? null : { priceMinor, currency };
  return { id, name, slug, type, price };
}
