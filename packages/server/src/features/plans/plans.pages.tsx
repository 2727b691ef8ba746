import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  creation,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
} from '../../web/kit/areas/seller-area.js';
import { paymentInWords, periodInWords } from '../../web/kit/areas/seller-parts.js';
import { type Page, siteOf } from '../../web/kit/frame/send-page.js';
import { defineForm, type FormValues } from '../../web/kit/parts/define-form.js';
import { ActionForm, PostForm } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import {
  amountColumn,
  type Column,
  ListPanel,
  type ShownList,
  shownList,
} from '../../web/kit/parts/table.js';
import { CopyText, Facts, Money, NameLink, Pill, Time } from '../../web/kit/parts/values.js';
import { publicNames } from '../brand/imitation.js';
import {
  changePlan,
  createPlan,
  findPricingPlan,
  listArchivedPlans,
  listPlansForSale,
  type PricingPlan,
} from './plan.queries.js';
import { planResource } from './plan.resource.js';
import { priceInput } from './price.js';

export const NEW_PLAN = {
  section: 'plans',
  title: phrase('New plan'),
  submit: phrase('Create plan'),
  full: phrase(
    'This community has {max} plans, archived ones included, which is the maximum. Ask the operator of this service for more.',
  ),
  form: defineForm(controlsOf(planResource)),
} as const;

export function planForm(currency: string) {
  return defineForm(controlsOf(planResource, { currency }));
}

export function sellerPlansPage(
  props: CommunityPageProps & { plans: ShownList<PricingPlan>; archived: ShownList<PricingPlan> },
): Page {
  const { community, plans, archived } = props;
  const path = `${communityPath(community.id)}/plans`;
  const columns = columnsOf(path);
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: t('Plans'),
    children: (
      <>
        <ListPanel
          heading={t('For sale')}
          add={{ href: `${path}/new`, label: t('New plan') }}
          label={t('Plans for sale')}
          list={plans}
          columns={columns}
          empty={{
            title: t('No plans for sale'),
            text: t('A plan is what people buy: a price, and the access that they get for it.'),
          }}
          noMore={t('There are no more plans.')}
          path={path}
          first={phrase('first plans')}
        />
        <ListPanel
          heading={t('Archived')}
          id="archived"
          label={t('Archived plans')}
          list={archived}
          columns={[...columns.slice(0, -1), ARCHIVED, ...columns.slice(-1)]}
          path={path}
          param="archived"
          first={phrase('first archived plans')}
        />
      </>
    ),
  });
}

function columnsOf(path: string): Column<PricingPlan>[] {
  return [
    { heading: phrase('Plan'), cell: ({ id, name }) => <NameLink href={`${path}/${id}`} name={name} /> },
    { heading: phrase('Access'), cell: ({ periodDays }) => periodInWords(periodDays) },
    { heading: phrase('Payment'), cell: (plan) => paymentInWords(plan) },
    amountColumn(phrase('Price'), ({ priceMinor: minor, currency }) => ({ minor, currency })),
  ];
}

const ARCHIVED: Column<PricingPlan> = {
  heading: phrase('Archived on'),
  cell: ({ archivedAt }) => archivedAt !== null && <Time at={archivedAt} precision="date" />,
};

export function sellerPlanPage(
  props: CommunityPageProps & { plan: PricingPlan; values: FormValues<ReturnType<typeof planForm>> },
): Page {
  const { community, plan } = props;
  const path = `${communityPath(community.id)}/plans/${plan.id}`;
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: t('Plan {name}', { name: plan.name }),
    heading: <bdi>{plan.name}</bdi>,
    parent: 'section',
    children: (
      <>
        <PlanFacts plan={plan} communityId={community.id} />
        <Panel heading={t('Edit plan')} id="edit">
          <PostForm action={path} submit={t('Save plan')}>
            {planForm(plan.currency).fields(props)}
          </PostForm>
        </Panel>
        <ArchivePanel plan={plan} action={`${path}/archive`} />
      </>
    ),
  });
}

function PlanFacts({ plan, communityId }: { plan: PricingPlan; communityId: string }) {
  const facts = {
    [t('Price')]: <Money minor={plan.priceMinor} currency={plan.currency} />,
    [t('Access')]: periodInWords(plan.periodDays),
    [t('Payment')]: paymentInWords(plan),
    [t('Plan ID')]: <CopyText label={t('plan ID')} value={plan.id} />,
    [t('Community ID')]: <CopyText label={t('community ID')} value={communityId} />,
  };
  const state =
    plan.archivedAt === null ? (
      <Pill tone="good">{t('For sale')}</Pill>
    ) : (
      <Pill tone="neutral">{t('Archived')}</Pill>
    );
  return (
    <Panel heading={t('Plan')} actions={state} id="facts">
      <Facts facts={facts} />
    </Panel>
  );
}

function ArchivePanel({ plan, action }: { plan: PricingPlan; action: string }) {
  const isArchived = plan.archivedAt !== null;
  return (
    <Panel heading={t(isArchived ? 'Archived' : 'Archive plan')} id="archive">
      <p class="muted">
        {plan.archivedAt === null
          ? t("Archived plans can't be bought. Current members keep access. You can restore the plan later.")
          : t('Not for sale since {date}. Current members keep access.', {
              date: <Time at={plan.archivedAt} precision="date" />,
            })}
      </p>
      <div class="panel-actions">
        <ActionForm
          action={action}
          fields={{ archive: isArchived ? 'no' : 'yes' }}
          label={t(isArchived ? 'Restore plan' : 'Archive plan')}
        />
      </div>
    </Panel>
  );
}

export function planRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  const creating = creation(needs, NEW_PLAN, {
    read: ({ form, response }: CommunityForm) =>
      NEW_PLAN.form.parse(publicNames(planResource.create, siteOf(response).brand.name), form),
    create: (transaction, plan, { actor }, now) => createPlan(transaction, actor, { plan, now }),
    answer: (_created, { path }) => doneAt(`${path}/plans`, 'plan-created'),
  });
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/plans': { get: list, post: creating.post },
    '/seller/communities/:communityId/plans/new': { get: creating.get },
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

  async function show(area: CommunityRequest) {
    const plan = await planOf(area);
    const price = priceInput(plan.priceMinor, plan.currency);
    const values = planForm(plan.currency).of({ ...plan, price });
    return sellerPlanPage({ ...area.page, plan, values });
  }

  async function save(area: CommunityForm) {
    const { actor, form, page, path, response } = area;
    const plan = await planOf(area);
    const planChange = planForm(plan.currency);
    const schema = publicNames(planResource.change, siteOf(response).brand.name, plan);
    const read = planChange.parse(schema, form);
    if (read.kind === 'invalid') {
      return sellerPlanPage({ ...page, plan, values: planChange.read(form), errors: read.errors });
    }
    await changePlan(db, actor, { planId: plan.id, change: read.value });
    return doneAt(`${path}/plans/${plan.id}`, 'plan-saved');
  }

  async function archive({ actor, form, path, request }: CommunityForm) {
    const planId = readId(request.params.planId);
    const isArchived = form.get('archive') === 'yes';
    await changePlan(db, actor, { planId, change: { archivedAt: isArchived ? clock.now() : null } });
    return doneAt(`${path}/plans/${planId}`, isArchived ? 'plan-archived' : 'plan-unarchived');
  }

  async function planOf({ community, request }: CommunityRequest) {
    const plan = await findPricingPlan(db, readId(request.params.planId));
    if (plan?.communityId !== community.id) throw notFound();
    return plan;
  }
}
