import { describedBy, FieldErrors, FieldHint, type FieldProps } from './form-field.js';

/**
 * Field for a day and, with `hasTime`, an optional time. The fields are in UTC. The page script converts them to the
 * visitor's time zone and names the zone in the field `zone`. `dateFieldOf` parses the form.
 */
export function DateField(
  props: FieldProps & {
    /** Instant in milliseconds since the epoch; null for an empty field. */
    value: number | null;
    /**
     * True to offer a time of day.
     *
     * @default false
     */
    hasTime?: boolean;
  },
) {
  const { name, label, value, hasTime = false } = props;
  const [date = '', time = ''] = value === null ? [] : new Date(value).toISOString().split('T');
  return (
    <div class="field" data-date-field {...(value !== null && { 'data-instant': value })}>
      <label for={name}>{label}</label>
      <FieldHint {...props} />
      <FieldErrors {...props} />
      <div class="date-inputs">
        <input id={name} name={name} type="date" value={date} autoComplete="off" {...describedBy(props)} />
        {hasTime && (
          <>
            <label class="visually-hidden" for={`${name}-time`}>
              {label}: time (optional)
            </label>
            <input
              id={`${name}-time`}
              name={`${name}-time`}
              type="time"
              value={time.slice(0, 5)}
              autoComplete="off"
            />
          </>
        )}
        <span class="date-zone" data-zone-name>
          UTC
        </span>
        <input type="hidden" name="zone" value="UTC" data-zone />
      </div>
    </div>
  );
}
