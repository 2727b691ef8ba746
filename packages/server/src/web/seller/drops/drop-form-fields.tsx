import { AccountField, type AreaFrame } from '../../ui/area-page.js';
import type { FormError } from '../../ui/error-summary.js';
import { TextField } from '../../ui/form-field.js';

/** The fields of a drop, as they were typed. */
export interface DropFields {
  name: string;
  /** Empty for unlimited. */
  slots: string;
  /** As a `datetime-local` field has them, by UTC. */
  startsAt: string;
  /** Empty for no end. */
  endsAt: string;
}

/** The fields of a drop: `name`, `slots`, `startsAt` and `endsAt`. */
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
        hint="How many people can sign up. Leave it empty for any number."
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
          label="Ends (UTC), if it does"
          type="datetime-local"
          value={fields.endsAt}
          errors={errors}
        />
      </div>
      <p class="field-hint">Both times are universal time (UTC), not the time of your own clock.</p>
      <div class="form-actions">
        <button class="button primary" type="submit">
          {props.submit}
        </button>
      </div>
    </form>
  );
}
