import { uuidField } from '@latchkey/contract';
import { type RequestHandler, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { communityBrand } from '../../domain/brand/brands.js';
import { findPricingPlan, listPlansForSale } from '../../domain/catalogue/pricing-plans.js';
import { findHeldPlan, isCovered } from '../../domain/checkout/buyer-access.js';
import { checkoutPath, openCheckout } from '../../domain/checkout/checkouts.js';
import { readPosition } from '../../platform/database/keyset.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { areaForm } from '../sign-in/area-route.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { sendPage } from '../ui/frame/send-page.js';
import { communityPage } from './community-page.js';

type CommunityParams = { id: string };

/** Routes of the public community pages, and of buying a plan there. */
export function communityRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/communities/:id').get(showCommunity(needs)).all(methodNotAllowed('GET'));
  router.route('/communities/:id/buy').post(buyPlan(needs)).all(methodNotAllowed('POST'));
  return router;
}

function communityPath(id: string): string {
  return `/communities/${encodeURIComponent(id)}`;
}

function showCommunity(
  needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>,
): RequestHandler<CommunityParams> {
  const { db, clock, payments } = needs;
  return async (request, response) => {
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
      payments === undefined ? { rows: [], next: undefined } : await listPlansForSale(db, communityId, after);
    const html = communityPage({
      id: communityId,
      brand,
      plans: plans.rows.map((plan) => ({ ...plan, amountMinor: plan.priceMinor, paidBy: plan.provider })),
      isFirst: after === undefined,
      next: plans.next,
      visitor,
      signInHref: signInPath(communityPath(communityId)),
    });
    sendPage(response, html);
  };
}

function buyPlan(needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>): RequestHandler<CommunityParams>[] {
  const { baseUrl, db, clock, payments } = needs;
  const home = ({ id }: CommunityParams) => communityPath(id);
  return areaForm(needs, home, async ({ user, request, response, form }) => {
    const path = communityPath(request.params.id);
    const communityId = request.params.id.toLowerCase();
    const planId = uuidField.safeParse(form.get('plan'));
    const plan = planId.success ? await findPricingPlan(db, planId.data) : undefined;
    const isSold = plan?.communityId === communityId && plan.archivedAt === null;
    // The community's page shows the plans that are for sale.
    if (!isSold || payments === undefined) return redirect(response, 303, path);
    const held = await findHeldPlan(db, { userId: user.id, communityId }, clock.now());
    if (held !== undefined && isCovered(held, plan.id)) return redirect(response, 303, path);
    const secret = await openCheckout(
      db,
      {
        subject: { kind: 'plan', planId: plan.id, communityId },
        buyer: { id: user.id },
        caller: null,
        successUrl: `${baseUrl}${path}`,
        cancelUrl: `${baseUrl}${path}`,
        utmSource: null,
      },
      clock.now(),
    );
    redirect(response, 303, checkoutPath(plan.provider, secret));
  });
}
