import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { listSales, type Sale } from '../../../domain/checkout/sales.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { type ListPage, readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityPage } from '../frame/seller-request.js';
import { SalesList } from './sales-list.js';

/** Routes of the payments in a community. */
export function salesRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db } = needs;
  const showSales = communityPage(needs, async ({ frame, community, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const sales = await listSales(db, { communityId: community.id }, after);
    sendPage(response, sellerSalesPage({ frame, community, sales, isFirst: after === undefined }));
  });
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/seller/communities/:communityId/sales').get(showSales).all(methodNotAllowed('GET'));
  return router;
}

interface SellerSalesPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  sales: ListPage<Sale>;
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
