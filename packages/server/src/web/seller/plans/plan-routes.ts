import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { planResource } from '../../../domain/catalogue/plan.resource.js';
import { priceInput } from '../../../domain/catalogue/price.js';
import {
  changePlan,
  createPlan,
  findPricingPlan,
  listArchivedPlans,
  listPlansForSale,
} from '../../../domain/catalogue/pricing-plans.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { readId } from '../../sign-in/area-route.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../ui/parts/form-parts.js';
import { shownList } from '../../ui/parts/list-panel.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
} from '../frame/seller-request.js';
import { NEW_PLAN, newPlanPage, planForm, sellerPlanPage, sellerPlansPage } from './plan-pages.js';

/** Routes of the pricing plans of a community. */
export function planRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/plans': { get: list, post: create },
    '/seller/communities/:communityId/plans/new': { get: showNew },
    '/seller/communities/:communityId/plans/:planId': { get: show, post: save },
    '/seller/communities/:communityId/plans/:planId/archive': { post: archive },
  });

  async function list({ community, page, query }: CommunityRequest) {
    return sellerPlansPage({
      ...page,
      plans: await shownList(query, (after) => listPlansForSale(db, community.id, after)),
      archived: await shownList(query, (after) => listArchivedPlans(db, community.id, after), 'archived'),
    });
  }

  function showNew({ page }: CommunityRequest) {
    return newPlanPage({ ...page, values: NEW_PLAN.empty, submission: newSubmissionId() });
  }

  async function create({ actor, form, page, path }: CommunityForm) {
    const submission = submissionIdOf(form);
    const refuse = (errors: FormError[]) =>
      newPlanPage({ ...page, values: NEW_PLAN.read(form), submission, errors });
    const read = NEW_PLAN.parse(planResource.create, form);
    if (read.kind === 'invalid') return refuse(read.errors);
    const now = clock.now();
    const created = await submitOnce(db, {
      submission: { userId: actor.userId, id: submission },
      now,
      work: (transaction) => createPlan(transaction, actor, { plan: read.value, now }),
      hasEffect: ({ kind }) => kind === 'created',
    });
    if (created.kind === 'unknown') throw notFound();
    if (created.kind === 'too-many') {
      const message = `This community has ${created.max} plans, archived ones included, which is the maximum. Ask the operator of this service for more.`;
      return refuse([{ field: 'name', message }]);
    }
    return doneAt(`${path}/plans`, 'plan-created');
  }

  async function show(area: CommunityRequest) {
    const plan = await planOf(area);
    const price = priceInput(plan.priceMinor, plan.currency);
    const values = planForm(plan.currency).of({ ...plan, price });
    return sellerPlanPage({ ...area.page, plan, values });
  }

  async function save(area: CommunityForm) {
    const { actor, form, page, path } = area;
    const plan = await planOf(area);
    const planChange = planForm(plan.currency);
    const read = planChange.parse(planResource.change, form);
    if (read.kind === 'invalid') {
      return sellerPlanPage({ ...page, plan, values: planChange.read(form), errors: read.errors });
    }
    if (!(await changePlan(db, actor, { planId: plan.id, change: read.value }))) throw notFound();
    return doneAt(`${path}/plans/${plan.id}`, 'plan-saved');
  }

  async function archive({ actor, form, path, request }: CommunityForm) {
    const planId = readId(request.params.planId);
    const isArchived = form.get('archive') === 'yes';
    const change = { archivedAt: isArchived ? clock.now() : null };
    if (!(await changePlan(db, actor, { planId, change }))) throw notFound();
    return doneAt(`${path}/plans/${planId}`, isArchived ? 'plan-archived' : 'plan-unarchived');
  }

  async function planOf({ community, request }: CommunityRequest) {
    const plan = await findPricingPlan(db, readId(request.params.planId));
    if (plan?.communityId !== community.id) throw notFound();
    return plan;
  }
}
