import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { brandRoutes } from './brand.js';
import { newCommunityRoutes, overviewRoutes } from './communities.js';
import { dropRoutes } from './drops.js';
import { homeRoutes } from './home.js';
import { invitationRoutes } from './invitations.js';
import { memberRoutes } from './members.js';
import { membershipRoutes } from './membership.js';
import { planRoutes } from './plans.js';
import { newProductRoutes, productRoutes } from './products.js';
import { roleRoutes } from './roles.js';
import { salesRoutes } from './sales.js';

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
