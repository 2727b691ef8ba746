import type { PricingPlan } from '../../../domain/catalogue/pricing-plans.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Button } from '../../ui/parts/button.js';
import { CopyText } from '../../ui/parts/copy.js';
import { MoneyField, TextField } from '../../ui/parts/form-field.js';
import { Money } from '../../ui/parts/money.js';
import { Panel } from '../../ui/parts/panel.js';
import { Pill } from '../../ui/parts/pill.js';
import { Time } from '../../ui/parts/time.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { paymentInWords, periodInWords } from '../frame/seller-wording.js';
import { type PlanChangeFields, PlanTextFields } from './plan-text-fields.js';

export interface SellerPlanPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  plan: PricingPlan;
  /** Raw values of the form. */
  fields: PlanChangeFields;
}

/**
 * Renders a plan. `POST …/plans/{id}` with `name`, `price`, `description` and `benefits`; `POST …/plans/{id}/archive` with
 * `archive` = `yes` or `no`.
 */
export function sellerPlanPage(props: SellerPlanPageProps): Page {
  const { community, plan, frame } = props;
  const plans = `${communityPath(community.id)}/plans`;
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: `Plan ${plan.name}`,
    heading: <bdi>{plan.name}</bdi>,
    parent: { href: plans, label: 'Plans' },
    children: (
      <>
        <Facts plan={plan} communityId={community.id} />
        <Edit {...props} path={`${plans}/${plan.id}`} />
        <ArchivePanel plan={plan} account={frame.account} action={`${plans}/${plan.id}/archive`} />
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

function Edit({ plan, frame, fields, errors, path }: SellerPlanPageProps & { path: string }) {
  return (
    <Panel heading="Edit plan" id="edit">
      <form class="form" method="post" action={path}>
        <AccountField account={frame.account} />
        <TextField name="name" label="Name" value={fields.name} maxLength={200} required errors={errors} />
        <MoneyField
          name="price"
          label="Price"
          hint="Applies to new sales. Existing subscribers keep their current price."
          value={fields.price}
          currency={plan.currency}
          required
          errors={errors}
        />
        <PlanTextFields fields={fields} errors={errors} />
        <div class="form-actions">
          <Button kind="primary">Save plan</Button>
        </div>
      </form>
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
