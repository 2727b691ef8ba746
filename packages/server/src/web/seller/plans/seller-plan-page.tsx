import { formatPrice } from '../../../domain/catalogue/price.js';
import type { PricingPlan } from '../../../domain/catalogue/pricing-plans.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { TextField } from '../../ui/parts/form-field.js';
import { PlainDate } from '../../ui/parts/plain-time.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { saleInWords } from '../frame/seller-wording.js';
import { type PlanChangeFields, PlanTextFields } from './plan-text-fields.js';

/** Props of {@link sellerPlanPage}. */
export interface SellerPlanPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  plan: PricingPlan;
  /** Raw values of the form. */
  fields: PlanChangeFields;
}

/** Renders a plan. `POST …/plans/{id}` with `name`, `price`, `description` and `benefits`; `POST …/plans/{id}/archive` with `archive` = `yes` or `no`. */
export function sellerPlanPage(props: SellerPlanPageProps): Page {
  const { community, plan, frame, fields, errors } = props;
  const plans = `${communityPath(community.id)}/plans`;
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: `Plan ${plan.name}`,
    heading: <bdi>{plan.name}</bdi>,
    lead: `${formatPrice(plan.priceMinor, plan.currency)} ${saleInWords(plan)}.`,
    parent: { href: plans, label: 'Plans' },
    children: (
      <>
        <section class="panel" aria-labelledby="api">
          <h2 id="api">API IDs</h2>
          <dl class="facts">
            <dt>Plan ID</dt>
            <dd>
              <code class="copyable">{plan.id}</code>
            </dd>
            <dt>Community ID</dt>
            <dd>
              <code class="copyable">{community.id}</code>
            </dd>
          </dl>
        </section>
        <section class="panel" aria-labelledby="edit">
          <h2 id="edit">Name, price and texts</h2>
          <form class="form" method="post" action={`${plans}/${plan.id}`}>
            <AccountField account={frame.account} />
            <TextField
              name="name"
              label="Name"
              value={fields.name}
              maxLength={200}
              required
              errors={errors}
            />
            <TextField
              name="price"
              label={`Price in ${plan.currency}`}
              hint="Applies to new sales. Existing subscribers keep their current price."
              value={fields.price}
              inputMode="decimal"
              required
              errors={errors}
            />
            <PlanTextFields fields={fields} errors={errors} />
            <div class="form-actions">
              <button class="button primary" type="submit">
                Save plan
              </button>
            </div>
          </form>
        </section>
        <ArchivePanel plan={plan} account={frame.account} action={`${plans}/${plan.id}/archive`} />
      </>
    ),
  });
}

function ArchivePanel({ plan, account, action }: { plan: PricingPlan; account: string; action: string }) {
  const isArchived = plan.archivedAt !== null;
  return (
    <section class="panel" aria-labelledby="archive">
      <h2 id="archive">{isArchived ? 'Archived' : 'Archive'}</h2>
      <p class="muted">
        {plan.archivedAt === null ? (
          "Archived plans can't be bought. Current members keep access."
        ) : (
          <>
            Not for sale since <PlainDate at={plan.archivedAt} />. Current members keep access.
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
    </section>
  );
}
