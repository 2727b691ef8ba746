import { planResource } from '../../../domain/catalogue/plan.resource.js';
import type { PricingPlan } from '../../../domain/catalogue/pricing-plans.js';
import type { Page } from '../../ui/frame/send-page.js';
import { defineForm, type FormValues } from '../../ui/parts/define-form.js';
import { ActionForm, ButtonLink, PostForm } from '../../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../../ui/parts/list-panel.js';
import { Panel } from '../../ui/parts/panel.js';
import { controlsOf } from '../../ui/parts/resource-form.js';
import type { Column } from '../../ui/parts/table.js';
import { CopyText, Money, Pill, Time } from '../../ui/parts/values.js';
import {
  type CommunityPageProps,
  communityPath,
  type NewProps,
  renderCommunityPage,
  renderNewPage,
} from '../frame/seller-page.js';
import { NameLink, paymentInWords, periodInWords } from '../frame/seller-parts.js';

/** Form of a new plan. A blank `periodDays` means lifetime access. */
export const NEW_PLAN = defineForm(controlsOf(planResource));

/** Returns the form of an existing plan. Its currency cannot change. */
export function planForm(currency: string) {
  return defineForm(controlsOf(planResource, { currency }));
}

/** Renders the plans of a community: those for sale, and the archived ones. */
export function sellerPlansPage(
  props: CommunityPageProps & { plans: ShownList<PricingPlan>; archived: ShownList<PricingPlan> },
): Page {
  const { community, plans, archived } = props;
  const path = `${communityPath(community.id)}/plans`;
  const columns = columnsOf(path);
  const newPlan = { href: `${path}/new`, label: 'New plan' };
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: 'Plans',
    children: (
      <>
        <ListPanel
          heading="For sale"
          actions={
            <ButtonLink kind="primary" isSmall href={newPlan.href}>
              {newPlan.label}
            </ButtonLink>
          }
          label="Plans for sale"
          list={plans}
          columns={columns}
          empty={{
            title: 'No plans for sale',
            text: 'A plan is what people buy: a price, and the access that they get for it.',
            action: newPlan,
          }}
          noMore="There are no more plans."
          path={path}
          first="first plans"
        />
        {(archived.rows.length > 0 || !archived.isFirst) && (
          <ListPanel
            heading="Archived"
            id="archived"
            label="Archived plans"
            list={archived}
            columns={[...columns.slice(0, -1), ARCHIVED, ...columns.slice(-1)]}
            path={path}
            param="archived"
            first="first archived plans"
          />
        )}
      </>
    ),
  });
}

function columnsOf(path: string): Column<PricingPlan>[] {
  return [
    {
      heading: 'Plan',
      cell: ({ id, name }) => <NameLink href={`${path}/${id}`} name={name} />,
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

/** Renders the form of a new plan: `POST …/plans`. */
export function newPlanPage(props: CommunityPageProps & NewProps<FormValues<typeof NEW_PLAN>>): Page {
  return renderNewPage({
    ...props,
    section: 'plans',
    title: 'New plan',
    submit: 'Create plan',
    fields: NEW_PLAN.fields(props),
  });
}

/** Renders a plan. `POST …/plans/{id}` saves it, `POST …/plans/{id}/archive` takes `archive` = `yes` or `no`. */
export function sellerPlanPage(
  props: CommunityPageProps & { plan: PricingPlan; values: FormValues<ReturnType<typeof planForm>> },
): Page {
  const { community, plan, frame } = props;
  const plans = `${communityPath(community.id)}/plans`;
  const path = `${plans}/${plan.id}`;
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: `Plan ${plan.name}`,
    heading: <bdi>{plan.name}</bdi>,
    parent: { href: plans, label: 'Plans' },
    children: (
      <>
        <Facts plan={plan} communityId={community.id} />
        <Panel heading="Edit plan" id="edit">
          <PostForm action={path} account={frame.account} submit="Save plan">
            {planForm(plan.currency).fields(props)}
          </PostForm>
        </Panel>
        <ArchivePanel plan={plan} account={frame.account} action={`${path}/archive`} />
      </>
    ),
  });
}

function Facts({ plan, communityId }: { plan: PricingPlan; communityId: string }) {
  return (
    <Panel
      heading="Plan"
      actions={
        plan.archivedAt === null ? <Pill tone="good">For sale</Pill> : <Pill tone="neutral">Archived</Pill>
      }
      id="facts"
    >
      <dl class="facts">
        <dt>Price</dt>
        <dd>
          <Money minor={plan.priceMinor} currency={plan.currency} />
        </dd>
        <dt>Access</dt>
        <dd>{periodInWords(plan.periodDays)}</dd>
        <dt>Payment</dt>
        <dd>{paymentInWords(plan)}</dd>
        <dt>Plan ID</dt>
        <dd>
          <CopyText label="plan ID" value={plan.id} />
        </dd>
        <dt>Community ID</dt>
        <dd>
          <CopyText label="community ID" value={communityId} />
        </dd>
      </dl>
    </Panel>
  );
}

function ArchivePanel({ plan, account, action }: { plan: PricingPlan; account: string; action: string }) {
  const isArchived = plan.archivedAt !== null;
  return (
    <Panel heading={isArchived ? 'Archived' : 'Archive plan'} id="archive">
      <p class="muted">
        {plan.archivedAt === null ? (
          "Archived plans can't be bought. Current members keep access. You can restore the plan later."
        ) : (
          <>
            Not for sale since <Time at={plan.archivedAt} precision="date" />. Current members keep access.
          </>
        )}
      </p>
      <div class="panel-actions">
        <ActionForm
          action={action}
          account={account}
          fields={{ archive: isArchived ? 'no' : 'yes' }}
          label={isArchived ? 'Restore plan' : 'Archive plan'}
        />
      </div>
    </Panel>
  );
}
