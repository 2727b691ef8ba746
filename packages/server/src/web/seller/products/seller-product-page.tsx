import type { Product } from '../../../domain/catalogue/products.js';
import { renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Confirm } from '../../ui/parts/confirm.js';
import { productPath, renderProductPage, type SellerPageProps } from '../frame/seller-page.js';
import { SELLER_HOME } from '../frame/seller-sections.js';
import { productPriceInWords, productTypeInWords } from '../frame/seller-wording.js';
import { type ProductFields, ProductForm } from './product-form-fields.js';

/** Props of {@link newProductPage}. */
export interface NewProductPageProps extends SellerPageProps {
  fields: ProductFields;
}

/** Renders the form of a new product: `POST /seller/products`. */
export function newProductPage(props: NewProductPageProps): Page {
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: [SELLER_HOME],
    section: SELLER_HOME.href,
    title: 'Create a product',
    parent: SELLER_HOME,
    errors: props.errors,
    children: (
      <section class="panel" aria-label="Product">
        <ProductForm
          action="/seller/products"
          frame={props.frame}
          fields={props.fields}
          errors={props.errors}
          submit="Create product"
        />
      </section>
    ),
  });
}

/** Props of {@link sellerProductPage}. */
export interface SellerProductPageProps extends SellerPageProps {
  product: Product;
  fields: ProductFields;
}

/** Renders a product. `POST /seller/products/{id}` saves it, `POST /seller/products/{id}/delete` deletes it. */
export function sellerProductPage(props: SellerProductPageProps): Page {
  const { product, frame } = props;
  const path = productPath(product.id);
  return renderProductPage({
    ...props,
    section: '',
    title: 'Product',
    heading: <bdi>{product.name}</bdi>,
    lead: `${productTypeInWords(product.type)}, ${productPriceInWords(product.price)}.`,
    children: (
      <>
        <section class="panel" aria-labelledby="api">
          <h2 id="api">Links and IDs</h2>
          <dl class="facts">
            <dt>Public page</dt>
            <dd>
              <a href={`/products/${product.id}`}>View public page</a>
            </dd>
            <dt>Product ID</dt>
            <dd>
              <code class="copyable">{product.id}</code>
            </dd>
          </dl>
        </section>
        <section class="panel" aria-labelledby="edit">
          <h2 id="edit">Edit product</h2>
          <ProductForm
            action={path}
            frame={frame}
            fields={props.fields}
            errors={props.errors}
            submit="Save product"
          />
        </section>
        <section class="panel" aria-labelledby="delete">
          <h2 id="delete">Delete product</h2>
          <p class="muted">
            You can delete only a product without buyers. To stop selling a product with buyers, remove its
            price.
          </p>
          <div class="panel-actions">
            <Confirm label="Delete product…" text="The product and its webhooks are deleted for good.">
              <ActionForm action={`${path}/delete`} account={frame.account} label="Delete product" isDanger />
            </Confirm>
          </div>
        </section>
      </>
    ),
  });
}
