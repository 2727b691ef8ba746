import type { Product } from '../../../domain/catalogue/products.js';
import { ActionForm } from '../../ui/action-form.js';
import { renderAreaPage } from '../../ui/area-page.js';
import { Confirm } from '../../ui/confirm.js';
import type { Page } from '../../ui/site.js';
import { productPath, renderProductPage, type SellerPageProps } from '../frame/seller-page.js';
import { SELLER_HOME } from '../frame/seller-sections.js';
import { productPriceInWords, productTypeInWords } from '../frame/seller-wording.js';
import { type ProductFields, ProductForm } from './product-form-fields.js';

/** Props of {@link newProductPage}. */
export interface NewProductPageProps extends SellerPageProps {
  fields: ProductFields;
}

/** A product to create. `POST /seller/products`. */
export function newProductPage(props: NewProductPageProps): Page {
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: [SELLER_HOME],
    section: SELLER_HOME.href,
    title: 'New product',
    parent: SELLER_HOME,
    errors: props.errors,
    children: (
      <section class="panel" aria-label="The product">
        <ProductForm
          action="/seller/products"
          frame={props.frame}
          fields={props.fields}
          errors={props.errors}
          submit="Create the product"
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

/** One product. `POST /seller/products/{id}` as for a new one; `POST /seller/products/{id}/delete`. */
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
          <h2 id="api">Where it is found</h2>
          <dl class="facts">
            <dt>Its page</dt>
            <dd>
              <a href={`/products/${product.id}`}>What visitors see and can buy</a>
            </dd>
            <dt>Product id</dt>
            <dd>
              <code class="copyable">{product.id}</code>
            </dd>
          </dl>
        </section>
        <section class="panel" aria-labelledby="edit">
          <h2 id="edit">What it is</h2>
          <ProductForm
            action={path}
            frame={frame}
            fields={props.fields}
            errors={props.errors}
            submit="Save the product"
          />
        </section>
        <section class="panel" aria-labelledby="delete">
          <h2 id="delete">Delete it</h2>
          <p class="muted">
            Only a product that nobody has ever had can be deleted. To stop selling another, take its price
            away.
          </p>
          <div class="panel-actions">
            <Confirm label="Delete" text="It is gone for good, and its webhooks with it.">
              <ActionForm
                action={`${path}/delete`}
                account={frame.account}
                label="Delete the product"
                isDanger
              />
            </Confirm>
          </div>
        </section>
      </>
    ),
  });
}
