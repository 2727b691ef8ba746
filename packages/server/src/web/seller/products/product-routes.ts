import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { priceInput } from '../../../domain/catalogue/price.js';
import { productResource } from '../../../domain/catalogue/product.resource.js';
import {
  changeProduct,
  createProduct,
  deleteProduct,
  type Product,
} from '../../../domain/catalogue/products.js';
import { listSales } from '../../../domain/checkout/sales.js';
import { exportMemberships } from '../../../domain/memberships/export-memberships.js';
import { listMemberships } from '../../../domain/memberships/membership-list.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../sign-in/area-route.js';
import { sendCsv } from '../../ui/frame/send-csv.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../ui/parts/form-parts.js';
import { shownList } from '../../ui/parts/list-panel.js';
import { productPath, SELLER_PATH } from '../frame/seller-page.js';
import { doneAt, type ProductForm, type ProductRequest, routesOfProduct } from '../frame/seller-request.js';
import {
  newProductPage,
  PRODUCT,
  productBuyersPage,
  productSalesPage,
  sellerProductPage,
} from './product-pages.js';

const SLUG_TAKEN = [
  { field: 'slug', message: 'Another of your products has this slug. Enter a different one.' },
];
const IN_USE = [
  {
    field: 'delete',
    message:
      'You cannot delete this product, because it has buyers or payments. Remove its price to stop selling it.',
  },
];

/** Routes of a new product. */
export function newProductRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return areaRoutes(
    needs,
    { home: SELLER_PATH },
    { '/seller/products': { post: create }, '/seller/products/new': { get: showNew } },
  );

  function showNew({ frame }: AreaRequest) {
    return newProductPage({ frame, values: PRODUCT.empty, submission: newSubmissionId() });
  }

  async function create({ user, frame, form }: AreaForm) {
    const submission = submissionIdOf(form);
    const refuse = (errors: FormError[]) =>
      newProductPage({ frame, values: PRODUCT.read(form), submission, errors });
    const read = PRODUCT.parse(productResource.create, form);
    if (read.kind === 'invalid') return refuse(read.errors);
    const now = clock.now();
    const created = await submitOnce(db, {
      submission: { userId: user.id, id: submission },
      now,
      work: (transaction) => createProduct(transaction, user.id, { product: read.value, now }),
      hasEffect: ({ kind }) => kind === 'created',
    });
    switch (created.kind) {
      case 'created':
        return doneAt(productPath(created.id), 'product-created');
      case 'already-submitted':
        return doneAt(SELLER_PATH, 'product-created');
      case 'slug-taken':
        return refuse(SLUG_TAKEN);
      case 'too-many': {
        const message = `You have ${created.max} products, which is the maximum. Delete one, or ask the operator of this service for more.`;
        return refuse([{ field: 'name', message }]);
      }
    }
  }
}

/** Routes of a product with its buyers and sales. */
export function productRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  return routesOfProduct(needs, {
    '/seller/products/:productId': { get: show, post: save },
    '/seller/products/:productId/delete': { post: remove },
    '/seller/products/:productId/buyers': { get: listBuyers },
    '/seller/products/:productId/buyers.csv': { get: sendBuyers },
    '/seller/products/:productId/sales': { get: showSales },
  });

  function show({ product, page }: ProductRequest) {
    return sellerProductPage({ ...page, baseUrl, values: valuesOf(product) });
  }

  async function save({ user, form, product, page, path }: ProductForm) {
    const refuse = (errors: FormError[]) =>
      sellerProductPage({ ...page, baseUrl, values: PRODUCT.read(form), errors });
    const read = PRODUCT.parse(productResource.create, form);
    if (read.kind === 'invalid') return refuse(read.errors);
    const changed = await changeProduct(db, { productId: product.id, userId: user.id }, read.value);
    if (changed.kind === 'unknown') throw notFound();
    return changed.kind === 'changed' ? doneAt(path, 'product-saved') : refuse(SLUG_TAKEN);
  }

  async function remove({ user, product, page, response }: ProductForm) {
    const result = await deleteProduct(db, { productId: product.id, userId: user.id });
    if (result.kind === 'unknown') throw notFound();
    if (result.kind === 'deleted') return doneAt(SELLER_PATH, 'product-deleted');
    const html = sellerProductPage({ ...page, baseUrl, values: valuesOf(product), errors: IN_USE });
    return sendPage(response, html, { status: 409 });
  }

  async function listBuyers({ product, page, query }: ProductRequest) {
    const of = { productId: product.id };
    const buyers = await shownList(query, (after) => listMemberships(db, of, after));
    return productBuyersPage({ ...page, buyers, now: clock.now() });
  }

  async function sendBuyers({ product, response }: ProductRequest) {
    const lines = exportMemberships(db, { productId: product.id }, { now: clock.now() });
    await sendCsv(response, `buyers-${product.id}`, lines);
  }

  async function showSales({ product, page, query }: ProductRequest) {
    const of = { productId: product.id };
    return productSalesPage({ ...page, sales: await shownList(query, (after) => listSales(db, of, after)) });
  }
}

function valuesOf(product: Product) {
  const { priceMinor, currency } = product;
  return PRODUCT.of({ ...product, price: priceMinor === null ? null : priceInput(priceMinor, currency) });
}
