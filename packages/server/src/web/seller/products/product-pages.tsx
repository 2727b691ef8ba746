import { productResource, productTypeInWords } from '../../../domain/catalogue/product.resource.js';
import type { Product } from '../../../domain/catalogue/products.js';
import type { Sale } from '../../../domain/checkout/sales.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { Page } from '../../ui/frame/send-page.js';
import { defineForm, type FormValues } from '../../ui/parts/define-form.js';
import { ActionForm, ButtonLink, PostForm } from '../../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../../ui/parts/list-panel.js';
import { Dialog, Panel } from '../../ui/parts/panel.js';
import { controlsOf } from '../../ui/parts/resource-form.js';
import { Money } from '../../ui/parts/values.js';
import {
  type NewProps,
  type ProductPageProps,
  productPath,
  renderNewSubjectPage,
  renderProductPage,
  type SellerPageProps,
} from '../frame/seller-page.js';
import { LinksAndIds } from '../frame/seller-parts.js';
import { memberColumns } from '../members/member-columns.js';
import { SalesList } from '../sales/sales-list.js';

/** Form of a product. A blank `price` means that it is not for sale. */
export const PRODUCT = defineForm(controlsOf(productResource));

/** Renders the form of a new product: `POST /seller/products`. */
export function newProductPage(props: SellerPageProps & NewProps<FormValues<typeof PRODUCT>>): Page {
  return renderNewSubjectPage({
    ...props,
    title: 'New product',
    submit: 'Create product',
    action: '/seller/products',
    fields: PRODUCT.fields(props),
  });
}

/** Renders a product. `POST /seller/products/{id}` saves it, `POST /seller/products/{id}/delete` deletes it. */
export function sellerProductPage(
  props: ProductPageProps & { baseUrl: string; values: FormValues<typeof PRODUCT> },
): Page {
  const { baseUrl, product, frame } = props;
  return renderProductPage({
    ...props,
    section: '',
    title: 'Product',
    heading: <bdi>{product.name}</bdi>,
    lead: <Terms product={product} />,
    children: (
      <>
        <LinksAndIds
          publicPath={`/products/${product.id}`}
          baseUrl={baseUrl}
          sold="the product"
          idLabel="Product ID"
          id={product.id}
        />
        <Panel heading="Edit product" id="edit">
          <PostForm action={productPath(product.id)} account={frame.account} submit="Save product">
            {PRODUCT.fields(props)}
          </PostForm>
        </Panel>
        <DeleteProduct product={product} account={frame.account} />
      </>
    ),
  });
}

/** Renders the buyers of a product, newest first. */
export function productBuyersPage(
  props: ProductPageProps & { buyers: ShownList<ListedMembership>; now: number },
): Page {
  const { product, buyers, now } = props;
  const path = `${productPath(product.id)}/buyers`;
  return renderProductPage({
    ...props,
    section: 'buyers',
    title: 'Buyers',
    children: (
      <ListPanel
        heading="Newest first"
        actions={
          <ButtonLink isSmall href={`${path}.csv`} download>
            Download as CSV
          </ButtonLink>
        }
        label="Buyers"
        list={buyers}
        columns={memberColumns({ heading: 'Buyer', now })}
        empty={{ title: 'No buyers yet', text: 'People who buy this product appear here.' }}
        noMore="There are no more buyers."
        path={path}
        first="newest"
      />
    ),
  });
}

export function productSalesPage(props: ProductPageProps & { sales: ShownList<Sale> }): Page {
  return renderProductPage({
    ...props,
    section: 'sales',
    title: 'Product sales',
    heading: 'Sales',
    children: (
      <SalesList
        sales={props.sales}
        path={`${productPath(props.product.id)}/sales`}
        hasPlans={false}
        emptyText="Payments for this product appear here, failed ones included."
      />
    ),
  });
}

function Terms({ product: { type, priceMinor, currency } }: { product: Product }) {
  return (
    <>
      {productTypeInWords(type)},{' '}
      {priceMinor === null ? 'not for sale' : <Money minor={priceMinor} currency={currency} />}
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
