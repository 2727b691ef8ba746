import { CURRENCIES } from '../../../domain/catalogue/currency.js';
import { formatPrice } from '../../../domain/catalogue/price.js';
import type { PricingPlan } from '../../../domain/catalogue/pricing-plans.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { SelectField, Switch, TextField } from '../../ui/parts/form-field.js';
import { Pager } from '../../ui/parts/pager.js';
import { currencyOptions } from '../frame/currency-options.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { saleInWords } from '../frame/seller-wording.js';
import { type PlanChangeFields, PlanTextFields } from './plan-text-fields.js';

/** Raw values of the form of a new plan. */
export interface PlanFields extends PlanChangeFields {
  currency: string;
  /** Empty for lifetime access. */
  periodDays: string;
  renews: boolean;
  provider: string;
}

/** Props of {@link sellerPlansPage}. */
export interface SellerPlansPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Plans for sale. */
  plans: ListPage<PricingPlan>;
  archived: ListPage<PricingPlan>;
  /** True for the first page of each list. */
  isFirst: { plans: boolean; archived: boolean };
  fields: PlanFields;
}

/**
 * Renders the plans of a community. `POST …/plans` creates one, with `name`, `price` in the major unit, `currency`,
 * `periodDays` (empty for lifetime access), `renews` (`on`), `provider`, `description` and `benefits` (one on each line).
 */
export function sellerPlansPage(props: SellerPlansPageProps): Page {
  const { community, plans, archived, isFirst, frame, fields, errors } = props;
  const path = `${communityPath(community.id)}/plans`;
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: 'Plans',
    children: (
      <>
        <section class="panel" aria-labelledby="on-sale">
          <h2 id="on-sale">For sale</h2>
          <PlanList plans={plans.rows} communityId={community.id} empty="No plans are for sale." />
          <Pager path={path} next={plans.next} isFirst={isFirst.plans} first="first plans" />
        </section>
        {(archived.rows.length > 0 || !isFirst.archived) && (
          <section class="panel" aria-labelledby="archived">
            <h2 id="archived">Archived</h2>
            <PlanList plans={archived.rows} communityId={community.id} empty="" />
            <Pager
              path={path}
              param="archived"
              next={archived.next}
              isFirst={isFirst.archived}
              first="first archived plans"
            />
          </section>
        )}
        <section class="panel" aria-labelledby="new-plan">
          <h2 id="new-plan">New plan</h2>
          <PlanForm communityId={community.id} frame={frame} fields={fields} errors={errors} />
        </section>
      </>
    ),
  });
}

function PlanList(props: { plans: readonly PricingPlan[]; communityId: string; empty: string }) {
  if (props.plans.length === 0) return <p class="empty">{props.empty}</p>;
  return (
    <ul class="rows">
      {props.plans.map((plan) => (
        <li class="row" key={plan.id}>
          <div class="row-text">
            <p class="row-title">
              <a href={`${communityPath(props.communityId)}/plans/${plan.id}`}>
                <bdi>{plan.name}</bdi>
              </a>
            </p>
            <p class="muted">Access {saleInWords(plan)}</p>
            <p class="muted">
              <code class="copyable">{plan.id}</code>
            </p>
          </div>
          <p class={plan.archivedAt === null ? 'tag' : 'tag quiet'}>
            {formatPrice(plan.priceMinor, plan.currency)}
          </p>
        </li>
      ))}
    </ul>
  );
}

function PlanForm(props: {
  communityId: string;
  frame: AreaFrame;
  fields: PlanFields;
  errors: readonly FormError[] | undefined;
}) {
  const { fields, errors } = props;
  return (
    <form class="form" method="post" action={`${communityPath(props.communityId)}/plans`}>
      <AccountField account={props.frame.account} />
      <TextField name="name" label="Name" value={fields.name} maxLength={200} required errors={errors} />
      <div class="field-pair">
        <TextField
          name="price"
          label="Price"
          hint="For example 9.50 or 9,50."
          value={fields.price}
          inputMode="decimal"
          required
          errors={errors}
        />
        <SelectField
          name="currency"
          label="Currency"
          value={fields.currency}
          options={currencyOptions(CURRENCIES)}
          errors={errors}
        />
      </div>
      <TermFields fields={fields} errors={errors} />
      <PlanTextFields fields={fields} errors={errors} />
      <div class="form-actions">
        <button class="button primary" type="submit">
          Create plan
        </button>
      </div>
    </form>
  );
}

function TermFields({ fields, errors }: { fields: PlanFields; errors: readonly FormError[] | undefined }) {
  return (
    <>
      <TextField
        name="periodDays"
        label="Days of access per payment"
        hint="Leave blank for lifetime access."
        value={fields.periodDays}
        inputMode="numeric"
        errors={errors}
      />
      <Switch
        name="renews"
        label="Renews automatically"
        hint="A subscription pays for each period until the member cancels it."
        checked={fields.renews}
        errors={errors}
      />
      <SelectField
        name="provider"
        label="Payment"
        value={fields.provider}
        options={[
          { value: 'card', label: 'By card' },
          { value: 'crypto', label: 'In crypto' },
        ]}
        errors={errors}
      />
    </>
  );
}
