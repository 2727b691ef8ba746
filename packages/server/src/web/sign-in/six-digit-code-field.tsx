import { errorAttributes, FieldError } from '../ui/parts/field-error.js';

/** Field `code` for a one-time code of six digits. It gets the focus when the page opens. */
export function SixDigitCodeField(props: {
  label: string;
  /** Text that browsers show if the value is not six digits. */
  title: string;
  /** Error message for the last code. */
  error: string | undefined;
}) {
  const { label, title, error } = props;
  return (
    <div class="field">
      <label for="code">{label}</label>
      <input
        class="code-input"
        id="code"
        name="code"
        type="text"
        required
        inputmode="numeric"
        // Apps show a space in the middle, and some users type or paste it.
        pattern="[0-9]{3}\s?[0-9]{3}"
        maxlength={7}
        title={title}
        autocomplete="one-time-code"
        autofocus
        {...errorAttributes(error, 'code-error')}
      />
      {error !== undefined && <FieldError id="code-error" text={error} />}
    </div>
  );
}
