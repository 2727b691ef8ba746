import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { type AreaForm, areaRoutes } from '../../web/kit/areas/area-routes.js';
import {
  creation,
  doneAt,
  type ProductForm,
  type ProductPageProps,
  type ProductRequest,
  productPath,
  renderProductPage,
  routesOfProduct,
  SELLER_PATH,
} from '../../web/kit/areas/seller-area.js';
import { LinksAndIds } from '../../web/kit/areas/seller-parts.js';
import { type Page, sendCsv, sendPage, siteOf } from '../../web/kit/frame/send-page.js';
import { defineForm, type FormValues } from '../../web/kit/parts/define-form.js';
import { ButtonLink, type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { DangerPanel, Panel } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { ListPanel, type ShownList, shownList } from '../../web/kit/parts/table.js';
import { Money } from '../../web/kit/parts/values.js';
import { publicNames } from '../brand/imitation.js';
import { memberColumns } from '../memberships/members.pages.js';
import { exportMemberships, type ListedMembership, listMemberships } from '../memberships/membership-list.js';
import { priceInput } from '../plans/price.js';
import { changeProduct, createProduct, deleteProduct, type Product } from './product.queries.js';
import { productResource, productTypeInWords } from './product.resource.js';

const PRODUCT = defineForm(controlsOf(productResource));

export const NEW_PRODUCT = {
  title: phrase('New product'),
  submit: phrase('Create product'),
  full: phrase(
    'You have {max} products, which is the maximum. Delete one, or ask the operator of this service for more.',
  ),
  action: '/seller/products',
  form: PRODUCT,
};

export function sellerProductPage(
  props: ProductPageProps & { baseUrl: string; values: FormValues<typeof PRODUCT> },
): Page {
  const { baseUrl, product } = props;
  return renderProductPage({
    ...props,
    section: '',
    title: t('Product'),
    heading: <bdi>{product.name}</bdi>,
    lead: <Terms product={product} />,
    children: (
      <>
        <LinksAndIds
          publicPath={`/products/${product.id}`}
          baseUrl={baseUrl}
          hint={t('Share this link. People buy the product there.')}
          idLabel={t('Product ID')}
          id={product.id}
        />
        <Panel heading={t('Edit product')} id="edit">
          <PostForm action={productPath(product.id)} submit={t('Save product')}>
            {PRODUCT.fields(props)}
          </PostForm>
        </Panel>
        <DeleteProduct product={product} />
      </>
    ),
  });
}

export function productBuyersPage(
  props: ProductPageProps & { buyers: ShownList<ListedMembership>; now: number },
): Page {
  const { product, buyers, now } = props;
  const path = `${productPath(product.id)}/buyers`;
  return renderProductPage({
    ...props,
    section: 'buyers',
    title: t('Buyers'),
    children: (
      <ListPanel
        heading={t('Newest first')}
        actions={<ButtonLink isSmall href={`${path}.csv`} download label={t('Download as CSV')} />}
        label={t('Buyers')}
        list={buyers}
        columns={memberColumns({ heading: phrase('Buyer'), now })}
        empty={{ title: t('No buyers yet'), text: t('People who buy this product appear here.') }}
        noMore={t('There are no more buyers.')}
        path={path}
        first={phrase('newest')}
      />
    ),
  });
}

function Terms({ product: { type, priceMinor, currency } }: { product: Product }) {
  return (
    <>
      {productTypeInWords(type)},{' '}
      {priceMinor === null ? t('not for sale') : <Money minor={priceMinor} currency={currency} />}
    </>
  );
}

function DeleteProduct({ product }: { product: Product }) {
  return (
    <DangerPanel
      heading={t('Delete product')}
      tone="danger"
      id="delete"
      text={t(
        'You can delete only a product without buyers. To stop selling a product with buyers, remove its price.',
      )}
      dialog={{
        id: 'delete-product',
        button: t('Delete product…'),
        title: t('Delete this product?'),
        notes: [
          t('The product and its public page are deleted for good.'),
          t('Its webhooks are deleted too.'),
        ],
      }}
      action={`${productPath(product.id)}/delete`}
      label={t('Delete product')}
    />
  );
}

function slugTaken() {
  return { field: 'slug', message: t('Another of your products has this slug. Enter a different one.') };
}

export function newProductRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { get, post } = creation(needs, NEW_PRODUCT, {
    read: ({ form, response }: AreaForm) =>
      PRODUCT.parse(publicNames(productResource.create, siteOf(response).brand.name), form),
    create: (transaction, product, { user }, now) => createProduct(transaction, user.id, { product, now }),
    answer(created) {
      if (created.kind === 'slug-taken') return slugTaken();
      return doneAt(created.kind === 'created' ? productPath(created.id) : SELLER_PATH, 'product-created');
    },
  });
  return areaRoutes(needs, SELLER_PATH, { '/seller/products': { post }, '/seller/products/new': { get } });
}

export function productRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  return routesOfProduct(needs, {
    '/seller/products/:productId': { get: show, post: save },
    '/seller/products/:productId/delete': { post: remove },
    '/seller/products/:productId/buyers': { get: listBuyers },
    '/seller/products/:productId/buyers.csv': { get: sendBuyers },
  });

  function show({ product, page }: ProductRequest) {
    return sellerProductPage({ ...page, baseUrl, values: valuesOf(product) });
  }

  async function save({ user, form, product, page, path, response }: ProductForm) {
    const refuse = (errors: FormError[]) =>
      sellerProductPage({ ...page, baseUrl, values: PRODUCT.read(form), errors });
    const schema = publicNames(productResource.create, siteOf(response).brand.name, product);
    const read = PRODUCT.parse(schema, form);
    if (read.kind === 'invalid') return refuse(read.errors);
    const changed = await changeProduct(db, { productId: product.id, userId: user.id }, read.value);
    return changed === 'changed' ? doneAt(path, 'product-saved') : refuse([slugTaken()]);
  }

  async function remove({ user, product, page, response }: ProductForm) {
    const result = await deleteProduct(db, { productId: product.id, userId: user.id });
    if (result === 'deleted') return doneAt(SELLER_PATH, 'product-deleted');
    const message = t(
      'You cannot delete this product, because it has buyers or payments. Remove its price to stop selling it.',
    );
    const errors = [{ field: 'delete', message }];
    const html = sellerProductPage({ ...page, baseUrl, values: valuesOf(product), errors });
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
}

function valuesOf(product: Product) {
  const { priceMinor, currency } = product;
  return PRODUCT.of({ ...product, price: priceMinor === null ? null : priceInput(priceMinor, currency) });
}
