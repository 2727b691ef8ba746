import type { Sale } from '../../../domain/checkout/sales.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { Pager } from '../../ui/parts/pager.js';
import { productPath, renderProductPage, type SellerPageProps } from '../frame/seller-page.js';
import { MemberRows } from '../members/member-rows.js';
import { SalesList } from '../sales/sales-list.js';

/** Props of {@link productBuyersPage}. */
export interface ProductBuyersPageProps extends SellerPageProps {
  product: { id: string; name: string };
  buyers: ListPage<ListedMembership>;
  /** True for the first page of the list. */
  isFirst: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Renders the buyers of a product, newest first. */
export function productBuyersPage(props: ProductBuyersPageProps): Page {
  const { product, buyers, isFirst, now } = props;
  return renderProductPage({
    ...props,
    section: 'buyers',
    title: 'Buyers',
    children: (
      <section class="panel" aria-labelledby="list">
        <div class="panel-heading">
          <h2 id="list">Newest first</h2>
          <a class="button secondary small" href={`${productPath(product.id)}/buyers.csv`} download>
            Download as CSV
          </a>
        </div>
        {buyers.rows.length === 0 ? (
          <p class="empty">{isFirst ? 'There are no buyers yet.' : 'There are no more buyers.'}</p>
        ) : (
          <MemberRows memberships={buyers.rows} now={now} />
        )}
        <Pager
          path={`${productPath(product.id)}/buyers`}
          next={buyers.next}
          isFirst={isFirst}
          first="newest"
        />
      </section>
    ),
  });
}

/** Props of {@link productSalesPage}. */
export interface ProductSalesPageProps extends SellerPageProps {
  product: { id: string; name: string };
  sales: ListPage<Sale>;
  /** True for the first page of the list. */
  isFirst: boolean;
}

/** Renders the payments for a product. */
export function productSalesPage(props: ProductSalesPageProps): Page {
  return renderProductPage({
    ...props,
    section: 'sales',
    title: 'Product sales',
    heading: 'Sales',
    children: (
      <SalesList
        sales={props.sales}
        isFirst={props.isFirst}
        path={`${productPath(props.product.id)}/sales`}
      />
    ),
  });
}
