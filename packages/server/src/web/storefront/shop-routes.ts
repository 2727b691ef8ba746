import { uuidField } from '@latchkey/contract';
import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { communityBrand } from '../../domain/brand/brands.js';
import { findPricingPlan, listPlansForSale } from '../../domain/catalogue/pricing-plans.js';
import { findProductOnSale } from '../../domain/catalogue/products.js';
import { isOwnedForLife } from '../../domain/checkout/bought-before.js';
import { findHeldPlan, isCovered } from '../../domain/checkout/buyer-access.js';
import { checkoutPath, openCheckout } from '../../domain/checkout/checkouts.js';
import { type OfferSubject, productOffer } from '../../domain/checkout/offer.js';
import { isActive } from '../../domain/memberships/membership-state.js';
import { findMembership } from '../../domain/memberships/memberships.js';
import { readPosition } from '../../platform/database/rows.js';
import { methodNotAllowed, notFound } from '../../platform/http/http-failure.js';
import { requestQuery } from '../../platform/http/request-input.js';
import { type AreaForm, areaRoutes } from '../sign-in/area-route.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { sendPage } from '../ui/frame/send-page.js';
import { communityPage } from './community-page.js';
import { type ProductAccess, productPage } from './product-page.js';

type Params = { id?: string };

/** Routes of the public pages of communities and products, and of buying there. */
export function shopRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>): Router {
  const { baseUrl, clock, db, payments } = needs;
  const router = Router({ caseSensitive: true, strict: true });

  router
    .route('/communities/:id')
    .get(async (request, response) => {
      const { data: communityId } = uuidField.safeParse(request.params.id);
      const brand = communityId === undefined ? undefined : await communityBrand(db, communityId);
      if (communityId === undefined || brand === undefined) throw notFound();
      const user = await findSignedInUser(needs, request);
      const visitor = user && {
        account: user.id,
        held: await findHeldPlan(db, { userId: user.id, communityId }, clock.now()),
      };
      const after = readPosition(requestQuery(request).get('after'));
      const plans =
        payments === undefined
          ? { rows: [], next: undefined }
          : await listPlansForSale(db, communityId, after);
      const html = communityPage({
        id: communityId,
        brand,
        plans: plans.rows.map((plan) => ({ ...plan, amountMinor: plan.priceMinor, paidBy: plan.provider })),
        isFirst: after === undefined,
        next: plans.next,
        visitor,
        signInHref: signInPath(communityPath({ id: communityId })),
      });
      sendPage(response, html);
    })
    .all(methodNotAllowed('GET'));
  router.use(
    areaRoutes(needs, communityPath, { '/communities/:id/buy': { post: buyPlan } }),
    areaRoutes(needs, productPath, { '/products/:id/buy': { post: buyProduct } }),
  );

  router
    .route('/products/:id')
    .get(async (request, response) => {
      const product = await findProduct(request.params);
      if (product === undefined) throw notFound();
      const user = await findSignedInUser(needs, request);
      const visitor = user && {
        account: user.id,
        access: await productAccess(needs, user.id, product.id),
      };
      const html = productPage({
        ...product,
        seller: product.sellerName,
        price: payments && productOffer(product),
        visitor,
        signInHref: signInPath(productPath(product)),
      });
      sendPage(response, html);
    })
    .all(methodNotAllowed('GET'));
  return router;

  async function buyPlan({ user, request: { params }, form }: AreaForm) {
    const path = communityPath(params);
    const communityId = params.id?.toLowerCase();
    const planId = uuidField.safeParse(form.get('plan'));
    const plan = planId.success ? await findPricingPlan(db, planId.data) : undefined;
    // The community's page shows the plans that are for sale.
    if (plan?.communityId !== communityId || plan?.archivedAt !== null || payments === undefined) return path;
    const held = await findHeldPlan(db, { userId: user.id, communityId: plan.communityId }, clock.now());
    if (held !== undefined && isCovered(held, plan.id)) return path;
    const subject = { kind: 'plan', planId: plan.id, communityId: plan.communityId } as const;
    return checkoutPath(plan.provider, await open(subject, user.id, path));
  }

  async function buyProduct({ user, request: { params } }: AreaForm) {
    const path = productPath(params);
    const product = await findProduct(params);
    const offer = product && payments && productOffer(product);
    // The product's page says why it is not for sale.
    if (product === undefined || offer === undefined) return path;
    if ((await productAccess(needs, user.id, product.id)) === 'for-life') return path;
    return checkoutPath(offer.paidBy, await open(offer.subject, user.id, path));
  }

  async function findProduct(params: Params) {
    const id = uuidField.safeParse(params.id);
    return id.success ? await findProductOnSale(db, id.data) : undefined;
  }

  /** Opens a checkout that returns to a page of the service, and returns its secret. */
  async function open(subject: OfferSubject, buyerId: string, path: string): Promise<string> {
    const page = `${baseUrl}${path}`;
    const order = { subject, buyer: { id: buyerId }, caller: null, successUrl: page, cancelUrl: page };
    return await openCheckout(db, { ...order, utmSource: null }, clock.now());
  }
}

/** Returns the current access of a user to a product. */
export async function productAccess(
  { db, clock }: Needs<'clock' | 'db'>,
  userId: string,
  productId: string,
): Promise<ProductAccess> {
  const membership = await findMembership(db, userId, { productId });
  const now = clock.now();
  if (await isOwnedForLife(db, membership, now)) return 'for-life';
  if (membership === undefined || membership.valid_until === null || !isActive(membership, now))
    return 'none';
  return { until: membership.valid_until };
}

function communityPath({ id = '' }: Params): string {
  return `/communities/${encodeURIComponent(id)}`;
}

function productPath({ id = '' }: Params): string {
  return `/products/${encodeURIComponent(id)}`;
}
