import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { priceInput } from '../../../domain/catalogue/price.js';
import { type ProductSettings, productSchema } from '../../../domain/catalogue/product.js';
import {
  type CreateProductResult,
  changeProduct,
  createProduct,
  deleteProduct,
} from '../../../domain/catalogue/products.js';
import { listSales } from '../../../domain/checkout/sales.js';
import { exportMemberships } from '../../../domain/memberships/export-memberships.js';
import { listMemberships } from '../../../domain/memberships/membership-list.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import { renderAreaPage } from '../../ui/frame/area-page.js';
import { sendCsv } from '../../ui/frame/send-csv.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { type FormResult, parseForm, UnreadableText } from '../../ui/parts/form.js';
import { Panel } from '../../ui/parts/panel.js';
import { PostForm } from '../../ui/parts/post-form.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { priceOf } from '../frame/price-field.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import type { SellerPageProps } from '../frame/seller-page.js';
import { productPath, SELLER_PATH } from '../frame/seller-paths.js';
import { productForm, productPage } from '../frame/seller-request.js';
import { SELLER_HOME, SELLER_SECTIONS } from '../frame/seller-sections.js';
import { type ProductFields, ProductFormFields } from './product-form-fields.js';
import { productBuyersPage, productSalesPage } from './seller-product-lists.js';
import { sellerProductPage } from './seller-product-page.js';

/** Initial values of the form of a new product. */
const EMPTY_PRODUCT: ProductFields = {
  name: '',
  slug: '',
  type: '',
  description: '',
  price: '',
  currency: 'EUR',
};

/** Returns the form values of an existing product. */
function fieldsOfProduct({ name, slug, type, description, price }: ProductSettings): ProductFields {
  return {
    name,
    slug,
    type: type ?? '',
    description: description ?? '',
    price: price === null ? '' : priceInput(price.priceMinor, price.currency),
    currency: price?.currency ?? EMPTY_PRODUCT.currency,
  };
}

/** Returns the raw values of the form. */
function typedProduct(form: URLSearchParams): ProductFields {
  return {
    name: form.get('name') ?? '',
    slug: form.get('slug') ?? '',
    type: form.get('type') ?? '',
    // Browsers send CR LF.
    description: (form.get('description') ?? '').replaceAll('\r\n', '\n'),
    price: form.get('price') ?? '',
    currency: form.get('currency') ?? '',
  };
}

/** Validates the form of a product. */
function readProduct({
  name,
  slug,
  type,
  description,
  price,
  currency,
}: ProductFields): FormResult<ProductSettings> {
  const values = {
    name,
    slug,
    type: type === '' ? null : type,
    description: description.trim() === '' ? null : description,
    price: productPriceOf(price, currency),
  };
  return parseForm(productSchema, values, { 'price.currency': 'currency' });
}

/** Returns the price with its currency, or null for a blank field. */
function productPriceOf(text: string, currency: string) {
  if (text.trim() === '') return null;
  const priceMinor = priceOf(text, currency);
  return priceMinor instanceof UnreadableText ? priceMinor : { priceMinor, currency };
}

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

/** Routes of a seller's products with their buyers and sales. */
export function productRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/seller/products').post(create(needs)).all(methodNotAllowed('POST'));
  router.route('/seller/products/new').get(showNew(needs)).all(methodNotAllowed('GET'));
  router
    .route('/seller/products/:productId')
    .get(showProduct(needs))
    .post(save(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route('/seller/products/:productId/delete').post(remove(needs)).all(methodNotAllowed('POST'));
  router.route('/seller/products/:productId/buyers').get(showBuyers(needs)).all(methodNotAllowed('GET'));
  router.route('/seller/products/:productId/buyers.csv').get(sendExport(needs)).all(methodNotAllowed('GET'));
  router.route('/seller/products/:productId/sales').get(showSales(needs)).all(methodNotAllowed('GET'));
  return router;
}

function showNew(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return areaPage(needs, async ({ frame, response }) => {
    sendPage(response, newProductPage({ frame, fields: EMPTY_PRODUCT, submission: newSubmissionId() }));
  });
}

function create(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaForm(needs, SELLER_PATH, async ({ user, frame, form, response }) => {
    const fields = typedProduct(form);
    const submission = submissionIdOf(form);
    const result = readProduct(fields);
    const now = clock.now();
    const created =
      result.kind === 'valid'
        ? await submitOnce(db, {
            submission: { userId: user.id, id: submission },
            now,
            work: (transaction) => createProduct(transaction, user.id, { product: result.value, now }),
            hasEffect: ({ kind }) => kind === 'created',
          })
        : result;
    switch (created.kind) {
      case 'created':
        return redirectDone(response, productPath(created.id), 'product-created');
      case 'already-submitted':
        return redirectDone(response, SELLER_PATH, 'product-created');
      default: {
        const page = { frame, fields, submission, errors: errorsOf(created) };
        sendPage(response, newProductPage(page), { status: 400 });
      }
    }
  });
}

function errorsOf(
  refused:
    | Extract<FormResult<never>, { kind: 'invalid' }>
    | Exclude<CreateProductResult, { kind: 'created' }>,
): FormError[] {
  switch (refused.kind) {
    case 'invalid':
      return refused.errors;
    case 'slug-taken':
      return SLUG_TAKEN;
    case 'too-many': {
      const message = `You have ${refused.max} products, which is the maximum. Delete one, or ask the operator of this service for more.`;
      return [{ field: 'name', message }];
    }
  }
}

function showProduct(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return productPage(needs, async ({ frame, product, request, response }) => {
    const fields = fieldsOfProduct(product);
    sendPage(
      response,
      sellerProductPage({ frame, product, baseUrl: needs.baseUrl, fields, notice: noticeOf(request) }),
    );
  });
}

function save(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return productForm(needs, async (request) => {
    const { user, frame, product, form, response } = request;
    const fields = typedProduct(form);
    const result = readProduct(fields);
    const changed =
      result.kind === 'valid'
        ? await changeProduct(needs.db, { productId: product.id, userId: user.id }, result.value)
        : undefined;
    if (changed?.kind === 'unknown') throw notFound();
    if (changed?.kind === 'changed') return redirectDone(response, productPath(product.id), 'product-saved');
    const errors = result.kind === 'invalid' ? result.errors : SLUG_TAKEN;
    sendPage(response, sellerProductPage({ frame, product, baseUrl: needs.baseUrl, fields, errors }), {
      status: 400,
    });
  });
}

function remove(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return productForm(needs, async (request) => {
    const { user, frame, product, response } = request;
    const result = await deleteProduct(needs.db, { productId: product.id, userId: user.id });
    if (result.kind === 'unknown') throw notFound();
    if (result.kind === 'deleted') return redirectDone(response, SELLER_PATH, 'product-deleted');
    const fields = fieldsOfProduct(product);
    sendPage(
      response,
      sellerProductPage({ frame, product, baseUrl: needs.baseUrl, fields, errors: IN_USE }),
      { status: 409 },
    );
  });
}

function showBuyers(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return productPage(needs, async ({ frame, product, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const buyers = await listMemberships(db, { productId: product.id }, after);
    const isFirst = after === undefined;
    sendPage(response, productBuyersPage({ frame, product, buyers, isFirst, now: clock.now() }));
  });
}

function sendExport(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return productPage(needs, async ({ product, response }) => {
    const lines = exportMemberships(needs.db, { productId: product.id }, { now: needs.clock.now() });
    await sendCsv(response, `buyers-${product.id}`, lines);
  });
}

function showSales(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return productPage(needs, async ({ frame, product, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const sales = await listSales(db, { productId: product.id }, after);
    sendPage(response, productSalesPage({ frame, product, sales, isFirst: after === undefined }));
  });
}

interface NewProductPageProps extends SellerPageProps {
  fields: ProductFields;
  submission: string;
}

/** Renders the form of a new product: `POST /seller/products`. */
export function newProductPage(props: NewProductPageProps): Page {
  const { frame, errors } = props;
  return renderAreaPage({
    frame,
    area: 'seller',
    sections: SELLER_SECTIONS,
    section: SELLER_HOME.href,
    title: 'New product',
    parent: SELLER_HOME,
    errors,
    children: (
      <Panel>
        <PostForm
          action="/seller/products"
          account={frame.account}
          submission={props.submission}
          submit="Create product"
          cancelHref={SELLER_HOME.href}
        >
          <ProductFormFields fields={props.fields} errors={errors} />
        </PostForm>
      </Panel>
    ),
  });
}
