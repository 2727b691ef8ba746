import type { AreaFrame } from '../../ui/frame/area-page.js';
import { AccountField } from '../../ui/parts/account-field.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { TextField } from '../../ui/parts/form-field.js';

/** Raw values of the form of a drop. */
export interface DropFields {
  name: string;
  /** Empty for no limit. */
  slots: string;
  /** Value of a `datetime-local` field, in UTC. */
  startsAt: string;
  /** Empty for no end. */
  endsAt: string;
}

/** Form of a drop with the fields `name`, `slots`, `startsAt` and `endsAt`. */
export function DropForm(props: {
  action: string;
  frame: AreaFrame;
  fields: DropFields;
  errors: readonly FormError[] | undefined;
  submit: string;
}) {
  const { fields, errors } = props;
  return (
    <form class="form" method="post" action={props.action}>
      <AccountField account={props.frame.account} />
      <TextField name="name" label="Name" value={fields.name} maxLength={200} required errors={errors} />
      <TextField
        name="slots"
        label="Slots"
        hint="Maximum number of signups. Leave blank for no limit."
        value={fields.slots}
        inputMode="numeric"
        errors={errors}
      />
      <div class="field-pair">
        <TextField
          name="startsAt"
          label="Starts (UTC)"
          type="datetime-local"
          value={fields.startsAt}
          required
          errors={errors}
        />
        <TextField
          name="endsAt"
          label="Ends (UTC, optional)"
          type="datetime-local"
          value={fields.endsAt}
          errors={errors}
        />
      </div>
      <p class="field-hint">Enter both times in UTC, not in your local time.</p>
      <div class="form-actions">
        <button class="button primary" type="submit">
          {props.submit}
        </button>
      </div>
    </form>
  );
}
