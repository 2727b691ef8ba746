import { randomUUID } from 'node:crypto';
import type { SellerProductType } from '@latchkey/contract/constants';
import {
  asPage,
  formatPosition,
  type ListPage,
  PAGE_SIZE,
  type Position,
} from '../../platform/database/keyset.js';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Schema } from '../../schema/schema.js';
import { isProductCharged } from '../charges/charges.js';
import type { ProductSettings } from './product.js';

/** Product of a seller. */
export interface Product extends ProductSettings {
  id: string;
}

/** Product as its page and its checkout show it. */
export interface ProductOnSale {
  id: string;
  ownerId: string;
  /** Null for a seller without a name. */
  sellerName: string | null;
  name: string;
  slug: string;
  type: SellerProductType | null;
  description: string | null;
  /** In the currency's minor unit; null if the product is not for sale. */
  priceMinor: number | null;
  /** ISO 4217; null if the product is not for sale. */
  currency: string | null;
}

/** Product and the user who claims to sell it. Every call checks the ownership in the database. */
export interface ProductOwner {
  productId: string;
  userId: string;
}

/** Lists one page of a seller's products: the oldest ones, sorted by name. */
export async function listProducts(
  db: Database,
  userId: string,
  after?: Position | undefined,
): Promise<ListPage<Product>> {
  const rows = await db
    .selectFrom('products')
    .selectAll()
    .where('owner_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after?.at ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = asPage(rows, ({ created_at, id }) => formatPosition({ at: created_at, id }), asProduct);
  return { ...page, rows: page.rows.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}

/** Lists a seller's products as the API returns them, oldest first. */
export async function listSellerProducts(
  db: Database,
  ownerId: string,
): Promise<Pick<ProductOnSale, 'id' | 'name' | 'slug' | 'type'>[]> {
  return await db
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'type'])
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('slug')
    .execute();
}

export async function productExists(db: Database, id: string): Promise<boolean> {
  const row = await db.selectFrom('products').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Returns the product if the user sells it. */
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
      description: row.description,
      priceMinor: row.price_minor,
      currency: row.currency,
    }
  );
}

/** Stores a product. False if its id is taken, or the seller already uses its slug. */
export async function insertProduct(
  db: Database,
  { id, ownerId, ...settings }: Product & { ownerId: string },
  now: number,
): Promise<boolean> {
  const created = await db
    .insertInto('products')
    .values({ id, owner_id: ownerId, created_at: now, ...settingsOf(settings) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return created !== undefined;
}

/** Maximum number of products of a seller. The operator can create more. */
const PRODUCTS_MAX_PER_SELLER = 100;

/** Result of {@link createProduct}. */
export type CreateProductResult =
  | { kind: 'created'; id: string }
  /** Another product of the seller has the slug. */
  | { kind: 'slug-taken' }
  | { kind: 'too-many'; max: number };

/** Creates a product. The transaction that stores it counts the products of the seller. */
export async function createProduct(
  db: Database,
  userId: string,
  { product, now }: { product: ProductSettings; now: number },
): Promise<CreateProductResult> {
  return await inTransaction(db, async (transaction) => {
    const { count } = await transaction
      .selectFrom('products')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= PRODUCTS_MAX_PER_SELLER) return { kind: 'too-many', max: PRODUCTS_MAX_PER_SELLER };
    const id = randomUUID();
    const isCreated = await insertProduct(transaction, { ...product, id, ownerId: userId }, now);
    return isCreated ? { kind: 'created', id } : { kind: 'slug-taken' };
  });
}

/** Result of a change to a product. `unknown`: the user sells no such product, or there is none. */
export interface ChangeProductResult {
  kind: 'changed' | 'slug-taken' | 'unknown';
}

/** Changes a product of the seller. */
export async function changeProduct(
  db: Database,
  { productId, userId }: ProductOwner,
  product: ProductSettings,
): Promise<ChangeProductResult> {
  return await inTransaction(db, async (transaction) => {
    if (await isSlugTaken(transaction, { productId, userId }, product.slug)) {
      const own = await findProduct(transaction, { productId, userId });
      return { kind: own === undefined ? 'unknown' : 'slug-taken' };
    }
    const changed = await transaction
      .updateTable('products')
      .set(settingsOf(product))
      .where('id', '=', productId)
      .where('owner_id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    return { kind: changed === undefined ? 'unknown' : 'changed' };
  });
}

/** True if another product of the user has the slug. */
async function isSlugTaken(
  transaction: Database,
  { productId, userId }: ProductOwner,
  slug: string,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('products')
    .select('id')
    .where('owner_id', '=', userId)
    .where('slug', '=', slug)
    .where('id', '<>', productId)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Gives a product to another seller. Sales, buyers and checkouts belong to the product, so the new seller sees them. Webhooks of the
 * former seller receive no more of its events.
 */
export async function handOverProduct(
  db: Database,
  { productId, newOwnerId }: { productId: string; newOwnerId: string },
): Promise<ChangeProductResult> {
  return await inTransaction(db, async (transaction) => {
    const product = await transaction
      .selectFrom('products')
      .select('slug')
      .where('id', '=', productId)
      .executeTakeFirst();
    if (product === undefined) return { kind: 'unknown' };
    const isTaken = await isSlugTaken(transaction, { productId, userId: newOwnerId }, product.slug);
    if (isTaken) return { kind: 'slug-taken' };
    await transaction
      .updateTable('products')
      .set({ owner_id: newOwnerId })
      .where('id', '=', productId)
      .execute();
    return { kind: 'changed' };
  });
}

/**
 * Result of a deletion. `in-use`: a user bought or was granted the product, or a payment for it was attempted or has started.
 */
export interface DeleteProductResult {
  kind: 'deleted' | 'in-use' | 'unknown';
}

/** Deletes a product that was never sold. Deleting a sold one would end its buyers' access and erase the sales. */
export async function deleteProduct(
  db: Database,
  { productId, userId }: ProductOwner,
): Promise<DeleteProductResult> {
  return await inTransaction(db, async (transaction) => {
    if ((await findProduct(transaction, { productId, userId })) === undefined) return { kind: 'unknown' };
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
    if (membership !== undefined || payment !== undefined) return { kind: 'in-use' };
    if (await isProductCharged(transaction, productId)) return { kind: 'in-use' };
    await transaction.deleteFrom('products').where('id', '=', productId).execute();
    return { kind: 'deleted' };
  });
}

function settingsOf({ name, slug, type, description, price }: ProductSettings) {
  const { priceMinor = null, currency = null } = price ?? {};
  return { name, slug, type, description, price_minor: priceMinor, currency };
}

function asProduct(row: Selectable<Schema['products']>): Product {
  const { id, name, slug, type, description, price_minor: priceMinor, currency } = row;
  const price = priceMinor === null || currency === null ? null : { priceMinor, currency };
  return { id, name, slug, type, description, price };
}
