import type { FormError } from '../../ui/parts/error-summary.js';
import { DateField, TextField } from '../../ui/parts/form-field.js';

export interface DropFields {
  name: string;
  /** Empty for no limit. */
  slots: string;
  /** Milliseconds since the epoch; null for a blank field. */
  startsAt: number | null;
  /** Milliseconds since the epoch. Null for no end. */
  endsAt: number | null;
}

/** Fields `name`, `slots`, `startsAt` and `endsAt` of a drop. */
export function DropFormFields(props: {
  fields: DropFields;
  errors: readonly FormError[] | undefined;
  /** Meaning of a blank start. */
  startHint: string;
}) {
  const { fields, errors } = props;
  return (
    <>
      <TextField name="name" label="Name" value={fields.name} maxLength={200} required errors={errors} />
      <TextField
        name="slots"
        label="Slots"
        hint="Maximum number of signups. Leave blank for no limit."
        value={fields.slots}
        inputMode="numeric"
        errors={errors}
      />
      <DateField
        name="startsAt"
        label="Starts"
        hint={props.startHint}
        value={fields.startsAt}
        hasTime
        errors={errors}
      />
      <DateField
        name="endsAt"
        label="Ends"
        hint="Leave blank for no end. Without a time, it ends as the day begins."
        value={fields.endsAt}
        hasTime
        errors={errors}
      />
    </>
  );
}
