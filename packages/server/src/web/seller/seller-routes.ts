import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { brandRoutes } from './brand/brand-routes.js';
import { newCommunityRoutes, overviewRoutes } from './communities/community-routes.js';
import { dropRoutes } from './drops/drop-routes.js';
import { homeRoutes } from './home/home-routes.js';
import { invitationRoutes } from './invitations/invitation-routes.js';
import { memberRoutes } from './members/member-routes.js';
import { membershipRoutes } from './members/membership-routes.js';
import { planRoutes } from './plans/plan-routes.js';
import { newProductRoutes, productRoutes } from './products/product-routes.js';
import { roleRoutes } from './roles/role-routes.js';
import { salesRoutes } from './sales/sales-routes.js';

/** Routes of the seller area: products, and communities with their roles, plans, drops, members and sales. */
export function sellerRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const routes of [
    homeRoutes,
    newCommunityRoutes,
    overviewRoutes,
    brandRoutes,
    roleRoutes,
    planRoutes,
    dropRoutes,
    memberRoutes,
    membershipRoutes,
    invitationRoutes,
    salesRoutes,
    newProductRoutes,
    productRoutes,
  ]) {
    router.use(routes(needs));
  }
  return router;
}
