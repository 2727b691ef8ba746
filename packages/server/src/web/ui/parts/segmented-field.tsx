import { describedBy, FieldErrors, FieldHint, type FieldProps } from './form-field.js';

/** Choice of one of a few short values, side by side. */
export function SegmentedField(
  props: FieldProps & { options: readonly { value: string; label: string }[]; value: string },
) {
  const { name, label, options, value } = props;
  return (
    <fieldset class="field segmented" id={name} tabIndex={-1} {...describedBy(props)}>
      <legend>{label}</legend>
      <FieldHint {...props} />
      <FieldErrors {...props} />
      <div class="segments">
        {options.map((option) => {
          const id = `${name}-${option.value}`;
          return (
            <div class="segment" key={option.value}>
              <input id={id} name={name} type="radio" value={option.value} checked={option.value === value} />
              <label for={id}>{option.label}</label>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
