import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { listSales, type Sale } from '../../../domain/checkout/sales.js';
import type { Page } from '../../ui/frame/send-page.js';
import { type ShownList, shownList } from '../../ui/parts/list-panel.js';
import { type CommunityPageProps, communityPath, renderCommunityPage } from '../frame/seller-page.js';
import { type CommunityRequest, routesOfCommunity } from '../frame/seller-request.js';
import { SalesList } from './sales-list.js';

/** Routes of the payments in a community. */
export function salesRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  return routesOfCommunity(needs, { '/seller/communities/:communityId/sales': { get: list } });

  async function list({ community, page, query }: CommunityRequest) {
    const of = { communityId: community.id };
    return sellerSalesPage({
      ...page,
      sales: await shownList(query, (after) => listSales(needs.db, of, after)),
    });
  }
}

/** Renders the payments in a community, with the sources of the buyers. */
export function sellerSalesPage(props: CommunityPageProps & { sales: ShownList<Sale> }): Page {
  return renderCommunityPage({
    ...props,
    section: 'sales',
    title: 'Sales',
    children: (
      <SalesList
        sales={props.sales}
        path={`${communityPath(props.community.id)}/sales`}
        hasPlans
        emptyText="Payments for your plans appear here, failed ones included."
      />
    ),
  });
}
