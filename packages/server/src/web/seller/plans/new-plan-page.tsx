import { CURRENCIES } from '../../../domain/catalogue/price.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { SegmentedField, SelectField, Switch, TextField } from '../../ui/parts/form-field.js';
import { renderCreationPage } from '../frame/creation-page.js';
import { currencyOptions } from '../frame/currency-options.js';
import type { SellerPageProps } from '../frame/seller-page.js';
import { type PlanChangeFields, PlanTextFields } from './plan-text-fields.js';

/** Raw values of the form of a new plan. */
export interface PlanFields extends PlanChangeFields {
  currency: string;
  /** Empty for lifetime access. */
  periodDays: string;
  renews: boolean;
  provider: string;
}

export interface NewPlanPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  fields: PlanFields;
  submission: string;
}

/**
 * Renders the form of a new plan: `POST …/plans` with `name`, `price` in the major unit, `currency`, `periodDays` (blank for
 * lifetime access), `renews` (`on`), `provider`, `description` and `benefits` (one on each line).
 */
export function newPlanPage(props: NewPlanPageProps): Page {
  const { fields, errors } = props;
  return renderCreationPage({
    ...props,
    section: 'plans',
    sectionLabel: 'Plans',
    title: 'New plan',
    submit: 'Create plan',
    fields: (
      <>
        <TextField
          name="name"
          label="Name"
          hint="Buyers see it, for example “Monthly”."
          value={fields.name}
          maxLength={200}
          required
          errors={errors}
        />
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
      </>
    ),
  });
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
      <SegmentedField
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
