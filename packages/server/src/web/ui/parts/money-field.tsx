import { describedBy, FieldErrors, FieldHint, type FieldProps } from './form-field.js';

/** Field for an amount in the currency's major unit. */
export function MoneyField(
  props: FieldProps & {
    value: string;
    /** ISO 4217 code, shown in the field. */
    currency: string;
    required?: boolean;
  },
) {
  const { name, label, value, currency, required } = props;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <FieldHint {...props} />
      <FieldErrors {...props} />
      <div class="money-input" dir="ltr">
        <input
          id={name}
          name={name}
          type="text"
          inputMode="decimal"
          value={value}
          required={required}
          autoComplete="off"
          spellcheck={false}
          {...describedBy(props)}
        />
        <span class="money-currency">{currency}</span>
      </div>
    </div>
  );
}
