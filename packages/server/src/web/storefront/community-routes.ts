import { uuidField } from '@latchkey/contract';
import { type RequestHandler, Router } from 'express';
import { findPricingPlan, listPlansForSale } from '../../domain/catalogue/pricing-plans.js';
import { checkoutPath } from '../../domain/checkout/checkout-address.js';
import { openCheckout } from '../../domain/checkout/checkouts.js';
import type { PaymentProvider } from '../../domain/checkout/payment-provider.js';
import { findCommunity } from '../../domain/communities/communities.js';
import { isActive, isRenewing } from '../../domain/memberships/membership-state.js';
import { findMembership } from '../../domain/memberships/memberships.js';
import type { Clock } from '../../platform/clock.js';
import { readPosition } from '../../platform/database/keyset.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { areaForm } from '../sign-in/area-route.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { sendPage } from '../ui/frame/send-page.js';
import { type CommunityPageProps, communityPage } from './community-page.js';

interface CommunityRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly payments: PaymentProvider | undefined;
  readonly db: Database;
}

type CommunityParams = { id: string };

/** Routes of the public community pages, and of buying a plan there. */
export function communityRoutes(needs: CommunityRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/communities/:id').get(showCommunity(needs)).all(methodNotAllowed('GET'));
  router.route('/communities/:id/buy').post(buyPlan(needs)).all(methodNotAllowed('POST'));
  return router;
}

function communityPath(id: string): string {
  return `/communities/${encodeURIComponent(id)}`;
}

function showCommunity(needs: CommunityRoutesNeeds): RequestHandler<CommunityParams> {
  const { db, payments } = needs;
  return async (request, response) => {
    const id = uuidField.safeParse(request.params.id);
    const community = id.success ? await findCommunity(db, id.data) : undefined;
    if (community === undefined) throw notFound();
    const user = await findSignedInUser(needs, request);
    const visitor = user && {
      account: user.id,
      access: await accessOf(needs, user.id, community.id),
    };
    const after = readPosition(requestQuery(request).get('after'));
    const plans =
      payments === undefined
        ? { rows: [], next: undefined }
        : await listPlansForSale(db, community.id, after);
    const html = communityPage({
      ...community,
      plans: plans.rows.map((plan) => ({ ...plan, amountMinor: plan.priceMinor, paidBy: plan.provider })),
      isFirst: after === undefined,
      next: plans.next,
      visitor,
      signInHref: signInPath(communityPath(community.id)),
    });
    sendPage(response, html);
  };
}

function buyPlan(needs: CommunityRoutesNeeds): RequestHandler<CommunityParams>[] {
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

type CommunityAccess = NonNullable<CommunityPageProps['visitor']>['access'];

async function accessOf(
  { db, clock }: CommunityRoutesNeeds,
  userId: string,
  communityId: string,
): Promise<CommunityAccess> {
  const membership = await findMembership(db, userId, { communityId });
  if (membership === undefined || !isActive(membership, clock.now())) return 'none';
  if (membership.valid_until === null) return 'for-life';
  return { until: membership.valid_until, renews: isRenewing(membership) };
}
