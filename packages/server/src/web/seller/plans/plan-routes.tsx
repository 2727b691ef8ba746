import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import {
  changePlan,
  createPlan,
  findPricingPlan,
  listArchivedPlans,
  listPlansForSale,
  type PricingPlan,
} from '../../../domain/catalogue/pricing-plans.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { type ListPage, readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { Money } from '../../ui/parts/money.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityForm, communityPage, readId } from '../frame/seller-request.js';
import { paymentInWords, periodInWords } from '../frame/seller-wording.js';
import { newPlanPage } from './new-plan-page.js';
import {
  EMPTY_PLAN,
  fieldsOfPlan,
  readPlan,
  readPlanChange,
  typedPlan,
  typedPlanChange,
} from './plan-form.js';
import { sellerPlanPage } from './seller-plan-page.js';

interface SellerPlansPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  plans: ListPage<PricingPlan>;
  archived: ListPage<PricingPlan>;
  isFirst: { plans: boolean; archived: boolean };
}

/** Renders the plans of a community: those for sale, and the archived ones. */
export function sellerPlansPage(props: SellerPlansPageProps): Page {
  const { community, plans, archived, isFirst } = props;
  const path = `${communityPath(community.id)}/plans`;
  const columns = columnsOf(path);
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: 'Plans',
    children: (
      <>
        <Panel
          heading="For sale"
          actions={
            <ButtonLink kind="primary" isSmall href={`${path}/new`}>
              New plan
            </ButtonLink>
          }
        >
          <Table
            label="Plans for sale"
            rows={plans.rows}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<NoPlans path={path} isFirst={isFirst.plans} />}
          />
          <Pager path={path} next={plans.next} isFirst={isFirst.plans} first="first plans" />
        </Panel>
        {(archived.rows.length > 0 || !isFirst.archived) && (
          <Panel heading="Archived" id="archived">
            <Table
              label="Archived plans"
              rows={archived.rows}
              rowKey={({ id }) => id}
              columns={[...columns.slice(0, -1), ARCHIVED, ...columns.slice(-1)]}
            />
            <Pager
              path={path}
              param="archived"
              next={archived.next}
              isFirst={isFirst.archived}
              first="first archived plans"
            />
          </Panel>
        )}
      </>
    ),
  });
}

function NoPlans({ path, isFirst }: { path: string; isFirst: boolean }) {
  if (!isFirst) return <EmptyState title="There are no more plans." />;
  return (
    <EmptyState
      title="No plans for sale"
      text="A plan is what people buy: a price, and the access that they get for it."
      action={{ href: `${path}/new`, label: 'New plan' }}
    />
  );
}

function columnsOf(path: string): Column<PricingPlan>[] {
  return [
    {
      heading: 'Plan',
      cell: ({ id, name }) => (
        <a href={`${path}/${id}`}>
          <bdi>{name}</bdi>
        </a>
      ),
      isRowHeading: true,
    },
    { heading: 'Access', cell: ({ periodDays }) => periodInWords(periodDays) },
    { heading: 'Payment', cell: (plan) => paymentInWords(plan) },
    {
      heading: 'Price',
      isNumeric: true,
      cell: ({ priceMinor, currency }) => <Money minor={priceMinor} currency={currency} />,
    },
  ];
}

const ARCHIVED: Column<PricingPlan> = {
  heading: 'Archived on',
  cell: ({ archivedAt }) => archivedAt !== null && <Time at={archivedAt} precision="date" />,
};

/** Routes of the pricing plans of a community. */
export function planRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/plans')
    .get(showPlans(needs))
    .post(create(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route('/seller/communities/:communityId/plans/new').get(showNew(needs)).all(methodNotAllowed('GET'));
  router
    .route('/seller/communities/:communityId/plans/:planId')
    .get(showPlan(needs))
    .post(save(needs))
    .all(methodNotAllowed('GET, POST'));
  router
    .route('/seller/communities/:communityId/plans/:planId/archive')
    .post(archive(needs))
    .all(methodNotAllowed('POST'));
  return router;
}

function showPlans(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async (areaRequest) => {
    const { request, response } = areaRequest;
    const props = await plansPageOf(needs, areaRequest);
    sendPage(response, sellerPlansPage({ ...props, notice: noticeOf(request) }));
  });
}

function showNew(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async ({ frame, community, response }) => {
    const page = { frame, community, fields: EMPTY_PLAN, submission: newSubmissionId() };
    sendPage(response, newPlanPage(page));
  });
}

function create(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async ({ frame, community, actor, form, response }) => {
    const fields = typedPlan(form);
    const submission = submissionIdOf(form);
    const sendErrors = (errors: FormError[]) =>
      sendPage(response, newPlanPage({ frame, community, fields, submission, errors }), { status: 400 });
    const result = readPlan(fields);
    if (result.kind === 'invalid') return sendErrors(result.errors);
    const now = clock.now();
    const created = await submitOnce(db, {
      submission: { userId: actor.userId, id: submission },
      now,
      work: (transaction) => createPlan(transaction, actor, { plan: result.value, now }),
      hasEffect: ({ kind }) => kind === 'created',
    });
    if (created.kind === 'unknown') throw notFound();
    if (created.kind === 'too-many') {
      const message = `This community has ${created.max} plans, archived ones included, which is the maximum. Ask the operator of this service for more.`;
      return sendErrors([{ field: 'name', message }]);
    }
    redirectDone(response, `${communityPath(community.id)}/plans`, 'plan-created');
  });
}

function showPlan(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async (areaRequest) => {
    const { frame, community, request, response } = areaRequest;
    const plan = await planOf(needs, community.id, request.params.planId);
    if (plan === undefined) throw notFound();
    const fields = fieldsOfPlan(plan);
    sendPage(response, sellerPlanPage({ frame, community, plan, fields, notice: noticeOf(request) }));
  });
}

function save(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityForm(needs, async (areaRequest) => {
    const { frame, community, actor, form, request, response } = areaRequest;
    const plan = await planOf(needs, community.id, request.params.planId);
    if (plan === undefined) throw notFound();
    const fields = typedPlanChange(form);
    const result = readPlanChange(fields, plan.currency);
    if (result.kind === 'invalid') {
      const html = sellerPlanPage({ frame, community, plan, fields, errors: result.errors });
      return sendPage(response, html, { status: 400 });
    }
    if (!(await changePlan(needs.db, actor, { planId: plan.id, change: result.value }))) {
      throw notFound();
    }
    redirectDone(response, `${communityPath(community.id)}/plans/${plan.id}`, 'plan-saved');
  });
}

function archive(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async (areaRequest) => {
    const { community, actor, form, request, response } = areaRequest;
    const planId = readId(request.params.planId);
    const isArchived = form.get('archive') === 'yes';
    const change = { archivedAt: isArchived ? clock.now() : null };
    if (!(await changePlan(db, actor, { planId, change }))) {
      throw notFound();
    }
    const path = `${communityPath(community.id)}/plans/${planId}`;
    redirectDone(response, path, isArchived ? 'plan-archived' : 'plan-unarchived');
  });
}

/** Reads one page of each list. The starts of the pages come from the address. */
async function plansPageOf(
  { db }: Needs<'baseUrl' | 'clock' | 'db'>,
  { frame, community, request }: Parameters<Parameters<typeof communityPage>[1]>[0],
) {
  const query = requestQuery(request);
  const [afterSold, afterArchived] = [readPosition(query.get('after')), readPosition(query.get('archived'))];
  return {
    frame,
    community,
    plans: await listPlansForSale(db, community.id, afterSold),
    archived: await listArchivedPlans(db, community.id, afterArchived),
    isFirst: { plans: afterSold === undefined, archived: afterArchived === undefined },
  };
}

async function planOf(
  { db }: Needs<'baseUrl' | 'clock' | 'db'>,
  communityId: string,
  planId: string | undefined,
): Promise<PricingPlan | undefined> {
  const plan = await findPricingPlan(db, readId(planId));
  return plan?.communityId === communityId ? plan : undefined;
}
