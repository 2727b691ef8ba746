import type { Sale } from '../../../domain/checkout/sales.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { renderProductPage, type SellerPageProps } from '../frame/seller-page.js';
import { productPath } from '../frame/seller-paths.js';
import { MemberTable } from '../members/member-table.js';
import { SalesList } from '../sales/sales-list.js';

export interface ProductBuyersPageProps extends SellerPageProps {
  product: { id: string; name: string };
  buyers: ListPage<ListedMembership>;
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
      <Panel
        heading="Newest first"
        actions={
          <ButtonLink isSmall href={`${productPath(product.id)}/buyers.csv`} download>
            Download as CSV
          </ButtonLink>
        }
      >
        <MemberTable
          label="Buyers"
          heading="Buyer"
          memberships={buyers.rows}
          hasPlans={false}
          now={now}
          empty={
            isFirst ? (
              <EmptyState title="No buyers yet" text="People who buy this product appear here." />
            ) : (
              <EmptyState title="There are no more buyers." />
            )
          }
        />
        <Pager
          path={`${productPath(product.id)}/buyers`}
          next={buyers.next}
          isFirst={isFirst}
          first="newest"
        />
      </Panel>
    ),
  });
}

export interface ProductSalesPageProps extends SellerPageProps {
  product: { id: string; name: string };
  sales: ListPage<Sale>;
  isFirst: boolean;
}

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
        hasPlans={false}
        emptyText="Payments for this product appear here, failed ones included."
      />
    ),
  });
}
