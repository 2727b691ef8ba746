import { uuidField } from '@latchkey/contract';
import { type Response, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { readPosition } from '../../platform/database/rows.js';
import { notFound } from '../../platform/http/http-failure.js';
import { t } from '../../platform/language/language.js';
import { type AreaForm, areaRoutes, type Visit, visitRoutes } from '../../web/kit/areas/area-routes.js';
import { signInPath } from '../../web/kit/areas/continue-path.js';
import { findSignedInUser } from '../../web/kit/areas/user-session.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import { communityBrand } from '../brand/brand.js';
import { isOwnedForLife } from '../checkout/bought-membership.js';
import { findHeldPlan, isCovered } from '../checkout/buyer-access.js';
import { type Offer, planOffer, productOffer } from '../checkout/checkout.js';
import { checkoutPath, findOfferOf, openCheckout } from '../checkout/checkouts.js';
import { useCheckout } from '../checkout/payment-budgets.js';
import { findCommunity } from '../communities/communities.js';
import { isActive } from '../memberships/membership-state.js';
import { findMembership } from '../memberships/memberships.js';
import { listPlansForSale } from '../plans/plan.queries.js';
import { findProductOnSale } from '../products/product.queries.js';
import { sendWait } from '../sign-in/too-many-codes.pages.js';
import { communityPage } from './community.pages.js';
import { type ProductAccess, productPage } from './product.pages.js';

type Params = { id?: string };

export function shopRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>): Router {
  const { baseUrl, clock, db, payments } = needs;
  return Router({ caseSensitive: true, strict: true }).use(
    visitRoutes(needs, {
      '/communities/:id': { get: showCommunity },
      '/products/:id': { get: showProduct },
    }),
    areaRoutes(needs, communityPath, { '/communities/:id/buy': { post: buyPlan } }),
    areaRoutes(needs, productPath, { '/products/:id/buy': { post: buyProduct } }),
  );

  async function showCommunity({ request, response, query }: Visit) {
    const { data: communityId } = uuidField.safeParse(request.params.id);
    const brand = communityId === undefined ? undefined : await communityBrand(db, communityId);
    if (communityId === undefined || brand === undefined) throw notFound();
    if ((await findCommunity(db, communityId)) === undefined)
      return sendMessage(response, 410, {
        title: t('This community is closed'),
        text: t('Memberships have ended, and nothing is sold here any more.'),
        isHarmless: true,
        action: { href: '/account', label: t('Your account') },
      });
    const user = await findSignedInUser(needs, request);
    const now = clock.now();
    const held = user && (await findHeldPlan(db, { userId: user.id, communityId }, now));
    const after = readPosition(query.get('after'));
    const plans =
      payments === undefined ? { rows: [], next: undefined } : await listPlansForSale(db, communityId, after);
    return communityPage({
      id: communityId,
      brand,
      plans: plans.rows.flatMap((plan) => {
        const offer = planOffer(plan, brand.name);
        const covers = held !== undefined && offer !== undefined && isCovered(held, offer, now);
        return offer === undefined ? [] : { ...offer, id: plan.id, isCovered: covers };
      }),
      isFirst: after === undefined,
      next: plans.next,
      visitor: user && { account: user.id, held },
      signInHref: signInPath(communityPath({ id: communityId })),
    });
  }

  async function showProduct({ request }: Visit) {
    const product = await findProduct(request.params);
    if (product === undefined) throw notFound();
    const user = await findSignedInUser(needs, request);
    const visitor = user && {
      account: user.id,
      access: await productAccess(needs, user.id, product.id),
    };
    return productPage({
      ...product,
      seller: product.sellerName,
      price: payments && productOffer(product),
      visitor,
      signInHref: signInPath(productPath(product)),
    });
  }

  async function buyPlan({ user, request: { params }, form, response }: AreaForm) {
    const path = communityPath(params);
    const planId = uuidField.safeParse(form.get('plan')).data ?? null;
    const offer = payments && (await findOfferOf(db, { planId, productId: null }));
    // The community's page shows the plans that are for sale.
    if (offer?.subject.kind !== 'plan' || offer.subject.communityId !== params.id?.toLowerCase()) return path;
    const { communityId } = offer.subject;
    const held = await findHeldPlan(db, { userId: user.id, communityId }, clock.now());
    if (held !== undefined && isCovered(held, offer, clock.now())) return path;
    return await open(response, { offer, buyer: user, path });
  }

  async function buyProduct({ user, request: { params }, response }: AreaForm) {
    const path = productPath(params);
    const product = await findProduct(params);
    const offer = product && payments && productOffer(product);
    // The product's page says why it isn't for sale.
    if (product === undefined || offer === undefined) return path;
    if ((await productAccess(needs, user.id, product.id)) === 'for-life') return path;
    return await open(response, { offer, buyer: user, path });
  }

  async function findProduct(params: Params) {
    const id = uuidField.safeParse(params.id);
    return id.success ? await findProductOnSale(db, id.data) : undefined;
  }

  async function open(
    response: Response,
    { offer, buyer, path }: { offer: Offer; buyer: { id: string }; path: string },
  ): Promise<string | undefined> {
    const now = clock.now();
    const use = await useCheckout(db, { by: 'buyer', id: buyer.id }, now);
    if (use.kind === 'exhausted') {
      sendWait(response, { availableAt: use.availableAt, now }, (time) => ({
        title: t('Too many orders'),
        text: t(
          'You have started many orders within an hour. Nothing was charged. Start the next one in {time}.',
          { time },
        ),
        action: { href: path, label: t('Back') },
      }));
      return undefined;
    }
    const page = `${baseUrl}${path}`;
    const order = { subject: offer.subject, buyer: { id: buyer.id }, caller: null, utmSource: null };
    const secret = await openCheckout(db, { ...order, successUrl: page, cancelUrl: page }, now);
    return checkoutPath(offer.paidBy, secret);
  }
}

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
