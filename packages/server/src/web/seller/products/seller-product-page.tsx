import type { Product } from '../../../domain/catalogue/products.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Button } from '../../ui/parts/button.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Money } from '../../ui/parts/money.js';
import { Panel } from '../../ui/parts/panel.js';
import { LinksAndIds } from '../frame/links-and-ids.js';
import { renderProductPage, type SellerPageProps } from '../frame/seller-page.js';
import { productPath } from '../frame/seller-paths.js';
import { productTypeInWords } from '../frame/seller-wording.js';
import { type ProductFields, ProductFormFields } from './product-form-fields.js';

export interface SellerProductPageProps extends SellerPageProps {
  product: Product;
  /** Origin of the service. */
  baseUrl: string;
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
    lead: <Terms product={product} />,
    children: (
      <>
        <LinksAndIds
          publicPath={`/products/${props.product.id}`}
          baseUrl={props.baseUrl}
          sold="the product"
          idLabel="Product ID"
          id={props.product.id}
        />
        <Panel heading="Edit product" id="edit">
          <form class="form" method="post" action={path}>
            <AccountField account={frame.account} />
            <ProductFormFields fields={props.fields} errors={props.errors} />
            <div class="form-actions">
              <Button kind="primary">Save product</Button>
            </div>
          </form>
        </Panel>
        <DeleteProduct product={product} account={frame.account} />
      </>
    ),
  });
}

function Terms({ product: { type, price } }: { product: Product }) {
  return (
    <>
      {productTypeInWords(type)},{' '}
      {price === null ? 'not for sale' : <Money minor={price.priceMinor} currency={price.currency} />}
    </>
  );
}

function DeleteProduct({ product, account }: { product: Product; account: string }) {
  return (
    <Panel heading="Delete product" tone="danger" id="delete">
      <p class="muted">
        You can delete only a product without buyers. To stop selling a product with buyers, remove its price.
      </p>
      <div class="panel-actions">
        <Dialog id="delete-product" button="Delete product…" buttonKind="danger" title="Delete this product?">
          <ul class="notes">
            <li>The product and its public page are deleted for good.</li>
            <li>Its webhooks are deleted too.</li>
          </ul>
          <ActionForm
            action={`${productPath(product.id)}/delete`}
            account={account}
            label="Delete product"
            isDanger
          />
        </Dialog>
      </div>
    </Panel>
  );
}
