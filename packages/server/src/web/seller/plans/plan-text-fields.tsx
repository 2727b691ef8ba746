import type { FormError } from '../../ui/parts/error-summary.js';
import { TextArea, TextField } from '../../ui/parts/form-field.js';

/** Raw values of the form of an existing plan. */
export interface PlanChangeFields {
  name: string;
  price: string;
  description: string;
  benefits: string;
}

/** Fields `description` and `benefits` of a plan. */
export function PlanTextFields(props: {
  fields: Pick<PlanChangeFields, 'description' | 'benefits'>;
  errors: readonly FormError[] | undefined;
}) {
  const { fields, errors } = props;
  return (
    <>
      <TextField
        name="description"
        label="Description (optional)"
        hint="One sentence for the plan’s card, at most 200 characters."
        value={fields.description}
        maxLength={200}
        errors={errors}
      />
      <TextArea
        name="benefits"
        label="Benefits (optional)"
        hint="What members get: one on each line, at most 8 lines of 80 characters."
        value={fields.benefits}
        rows={5}
        errors={errors}
      />
    </>
  );
}
