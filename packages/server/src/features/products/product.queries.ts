import { randomUUID } from 'node:crypto';
import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import {
  type CamelCased,
  countRows,
  hasRows,
  type Position,
  readPage,
} from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/http/http-failure.js';
import { type AuditEntry, auditedWrite, changedFields, recordAudit } from '../audit/audit.js';
import { isProductCharged } from '../charges/charges.js';
import type { LimitedCreation } from '../communities/community-access.js';
import { columnsOf, recordOf } from '../fields/define-resource.js';
import { type ProductSettings, productResource } from './product.resource.js';

export interface Product extends ProductSettings {
  id: string;
}

/** A product and the user who claims to sell it. Every call checks the ownership in the database. */
export interface ProductOwner {
  productId: string;
  userId: string;
}

export async function listProducts(db: Database, userId: string, after?: Position | undefined) {
  const own = db.selectFrom('products').selectAll().where('owner_id', '=', userId);
  const page = await readPage(own, { by: ['created_at', 'id'], after }, asProduct);
  return { ...page, rows: page.rows.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}

export async function listSellerProducts(db: Database, ownerId: string) {
  return await db
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'type'])
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('slug')
    .execute();
}

export async function productExists(db: Database, id: string): Promise<boolean> {
  return await hasRows(db.selectFrom('products').select('id').where('id', '=', id));
}

/** @throws HttpFailure 404 if the user doesn't sell such a product. */
export async function requireProduct(db: Database, { productId, userId }: ProductOwner) {
  const row = await db
    .selectFrom('products')
    .selectAll()
    .where('id', '=', productId)
    .where('owner_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return asProduct(row);
}

export async function findProductOnSale(db: Database, id: string): Promise<ProductOnSale | undefined> {
  return await db
    .selectFrom('products')
    .innerJoin('users as seller', 'seller.id', 'products.owner_id')
    .select([
      'products.id',
      'owner_id as ownerId',
      'seller.name as sellerName',
      'products.name',
      'slug',
      'type',
    ])
    .select(['description', 'price_minor as priceMinor', 'currency'])
    .where('products.id', '=', id)
    .executeTakeFirst();
}

/** A product as its page and its checkout show it. The price and the currency are null if it isn't for sale. */
export type ProductOnSale = Omit<CamelCased<Row<'products'>>, 'createdAt'> & {
  sellerName: string | null;
};

/** False if its id is taken, or the seller already uses its slug. */
export async function insertProduct(
  db: Database,
  { id, ownerId, ...settings }: Product & { ownerId: string },
  now: number,
): Promise<boolean> {
  const entry: AuditEntry = { action: 'product.create', subjectId: id, details: { ownerId } };
  return await auditedWrite(db, entry, (transaction) =>
    transaction
      .insertInto('products')
      .values({ id, owner_id: ownerId, created_at: now, ...settingsOf(settings) })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

const PRODUCTS_MAX_PER_SELLER = 100;

/** Counts the seller's products in the transaction that stores the product. */
export async function createProduct(
  db: Database,
  userId: string,
  { product, now }: { product: ProductSettings; now: number },
): Promise<LimitedCreation | { kind: 'slug-taken' }> {
  return await inTransaction(db, async (transaction) => {
    const products = transaction.selectFrom('products').where('owner_id', '=', userId);
    if ((await countRows(products)) >= PRODUCTS_MAX_PER_SELLER) {
      return { kind: 'full', max: PRODUCTS_MAX_PER_SELLER };
    }
    const id = randomUUID();
    const isCreated = await insertProduct(transaction, { ...product, id, ownerId: userId }, now);
    return isCreated ? { kind: 'created', id } : { kind: 'slug-taken' };
  });
}

export async function changeProduct(
  db: Database,
  { productId, userId }: ProductOwner,
  product: ProductSettings,
): Promise<'changed' | 'slug-taken'> {
  return await inTransaction(db, async (transaction) => {
    const own = await requireProduct(transaction, { productId, userId });
    if (await isSlugTaken(transaction, { productId, userId }, product.slug)) return 'slug-taken';
    await transaction.updateTable('products').set(settingsOf(product)).where('id', '=', productId).execute();
    const details = { fields: changedFields(own, product) };
    await recordAudit(transaction, { action: 'product.change', subjectId: productId, details });
    return 'changed';
  });
}

async function isSlugTaken(transaction: Database, { productId, userId }: ProductOwner, slug: string) {
  return await hasRows(
    transaction
      .selectFrom('products')
      .where('owner_id', '=', userId)
      .where('slug', '=', slug)
      .where('id', '<>', productId),
  );
}

/** The product's sales, buyers and checkouts go with it. The former seller's webhooks get no more of its events. */
export async function handOverProduct(
  db: Database,
  { productId, newOwnerId }: { productId: string; newOwnerId: string },
): Promise<'changed' | 'slug-taken'> {
  return await inTransaction(db, async (transaction) => {
    const { slug } = await transaction
      .selectFrom('products')
      .select('slug')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow();
    if (await isSlugTaken(transaction, { productId, userId: newOwnerId }, slug)) return 'slug-taken';
    await transaction
      .updateTable('products')
      .set({ owner_id: newOwnerId })
      .where('id', '=', productId)
      .execute();
    const details = { ownerId: newOwnerId };
    await recordAudit(transaction, { action: 'product.hand-over', subjectId: productId, details });
    return 'changed';
  });
}

/** Deletes a product without buyers, payments and charges. Otherwise access would end, and sales be erased. */
export async function deleteProduct(
  db: Database,
  { productId, userId }: ProductOwner,
): Promise<'deleted' | 'in-use'> {
  return await inTransaction(db, async (transaction) => {
    await requireProduct(transaction, { productId, userId });
    for (const table of ['memberships', 'payments'] as const) {
      const use = transaction.selectFrom(table).select('id').where('product_id', '=', productId).limit(1);
      if ((await use.executeTakeFirst()) !== undefined) return 'in-use';
    }
    if (await isProductCharged(transaction, productId)) return 'in-use';
    await transaction.deleteFrom('products').where('id', '=', productId).execute();
    await recordAudit(transaction, { action: 'product.delete', subjectId: productId });
    return 'deleted';
  });
}

function settingsOf(product: ProductSettings) {
  // A product that isn't for sale has no currency.
  return { ...columnsOf(productResource, product), ...(product.priceMinor === null && { currency: null }) };
}

function asProduct(row: Row<'products'>): Product {
  return recordOf(productResource, row);
}
