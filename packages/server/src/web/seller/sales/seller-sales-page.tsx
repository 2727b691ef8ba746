import type { Sale } from '../../../domain/checkout/sales.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { SalesList } from './sales-list.js';

/** Props of {@link sellerSalesPage}. */
export interface SellerSalesPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  sales: ListPage<Sale>;
  /** True for the first page of the list. */
  isFirst: boolean;
}

/** Renders the payments in a community, with the sources of the buyers. */
export function sellerSalesPage(props: SellerSalesPageProps): Page {
  return renderCommunityPage({
    ...props,
    section: 'sales',
    title: 'Sales',
    children: (
      <SalesList
        sales={props.sales}
        isFirst={props.isFirst}
        path={`${communityPath(props.community.id)}/sales`}
        hasPlans
        emptyText="Payments for your plans appear here, failed ones included."
      />
    ),
  });
}
