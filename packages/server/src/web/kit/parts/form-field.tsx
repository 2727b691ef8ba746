import type { ComponentChildren } from 'preact';
import { t } from '../../../platform/language/language.js';
import { type FormError, useErrorsOf } from './form-parts.js';
import { AlertIcon } from './icons.js';
import { UNTRANSLATED } from './values.js';

/** Props that all fields share. The name is also the id, so it must be unique on the page. */
export interface FieldProps {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  errors?: readonly FormError[] | undefined;
}

export function TextField(
  props: FieldProps & {
    value: string;
    type?: 'text' | 'url' | 'number' | 'email' | 'datetime-local';
    inputMode?: 'decimal' | 'numeric';
    maxLength?: number;
    required?: boolean;
    autoComplete?: string;
    spellcheck?: boolean;
  },
) {
  const { name, type = 'text', autoComplete = 'off' } = props;
  return (
    <Field {...props}>
      <input
        id={name}
        name={name}
        // Preact's types require one literal. All of these types accept the same attributes.
        type={type as 'text'}
        value={props.value}
        maxLength={props.maxLength}
        inputMode={props.inputMode}
        required={props.required}
        autoComplete={autoComplete}
        spellcheck={props.spellcheck}
        {...useDescription(props)}
      />
    </Field>
  );
}

export function TextArea(
  props: FieldProps & {
    value: string;
    rows?: number;
    /** True if the content is URLs or code rather than sentences. */
    isLiteral?: boolean;
  },
) {
  const { name, value, rows = 4, isLiteral = false } = props;
  return (
    <Field {...props}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        {...(isLiteral
          ? { class: 'literal', spellcheck: false, dir: 'ltr', ...UNTRANSLATED }
          : { dir: 'auto' })}
        {...useDescription(props)}
      >
        {/* The HTML parser drops a line break right after the tag. */}
        {`\n${value}`}
      </textarea>
    </Field>
  );
}

export interface ShownOption {
  value: string;
  label: string;
  /** True for a name or a code that no program may translate. */
  isName?: boolean;
}

export function SelectField(props: FieldProps & { value: string; options: readonly ShownOption[] }) {
  const { name, value, options } = props;
  return (
    <Field {...props}>
      <select id={name} name={name} {...useDescription(props)}>
        {options.map((option) => (
          <option
            value={option.value}
            key={option.value}
            selected={option.value === value}
            {...(option.isName && UNTRANSLATED)}
          >
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

export interface Choice {
  value: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  checked: boolean;
}

/** Group of choices: any number (`checkbox`) or exactly one (`radio`). */
export function ChoiceGroup(
  props: FieldProps & {
    type: 'checkbox' | 'radio';
    choices: readonly Choice[];
    /** True for rows in one box, each a click target as wide as the box. */
    isBoxed?: boolean;
  },
) {
  const { name, type, choices, isBoxed = false } = props;
  return (
    <FieldGroup {...props} look={isBoxed ? 'choices boxed' : 'choices'}>
      {choices.map((choice) => (
        <ChoiceRow key={choice.value} {...choice} name={name} type={type} id={`${name}-${choice.value}`} />
      ))}
    </FieldGroup>
  );
}

/** Choice of one of a few short values, side by side. */
export function SegmentedField(props: FieldProps & { options: readonly ShownOption[]; value: string }) {
  const { name, options, value } = props;
  return (
    <FieldGroup {...props} look="segmented">
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
    </FieldGroup>
  );
}

export function Switch(props: FieldProps & { checked: boolean }) {
  return (
    <div class="field choices">
      <FieldErrors {...props} />
      <ChoiceRow {...props} id={props.name} type="checkbox" value="on" />
    </div>
  );
}

function ChoiceRow(props: Choice & { id: string; name: string; type: 'checkbox' | 'radio' }) {
  const { id, name, type, value, label, hint, checked } = props;
  return (
    <div class="choice">
      <input
        id={id}
        name={name}
        type={type}
        value={value}
        checked={checked}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && (
          <p class="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

export function MoneyField(
  props: FieldProps & {
    value: string;
    /** ISO 4217 code, shown in the field. */
    currency: string;
    required?: boolean;
  },
) {
  const { name } = props;
  return (
    <Field {...props}>
      <div class="money-input" dir="ltr">
        <input
          id={name}
          name={name}
          type="text"
          inputMode="decimal"
          value={props.value}
          required={props.required}
          autoComplete="off"
          spellcheck={false}
          {...useDescription(props)}
        />
        <span class="money-currency">{props.currency}</span>
      </div>
    </Field>
  );
}

/** In UTC, until the page script converts it to the visitor's zone and puts that in the field `zone`. */
export function DateField(
  props: FieldProps & {
    /** Instant in milliseconds since the epoch; null for an empty field. */
    value: number | null;
  },
) {
  const { name, label, value } = props;
  const [date = '', time = ''] = value === null ? [] : new Date(value).toISOString().split('T');
  return (
    <Field {...props} data={{ 'data-date-field': true, ...(value !== null && { 'data-instant': value }) }}>
      <div class="date-inputs">
        <input id={name} name={name} type="date" value={date} autoComplete="off" {...useDescription(props)} />
        <label class="visually-hidden" for={`${name}-time`}>
          {t('{label}: time (optional)', { label: <>{label}</> })}
        </label>
        <input
          id={`${name}-time`}
          name={`${name}-time`}
          type="time"
          value={time.slice(0, 5)}
          autoComplete="off"
        />
        <span class="date-zone" data-zone-name>
          UTC
        </span>
        <input type="hidden" name="zone" value="UTC" data-zone />
      </div>
    </Field>
  );
}

/** Label, hint and errors around a control. */
export function Field(
  props: FieldProps & {
    /** Attributes for the page script. */
    data?: Readonly<Record<`data-${string}`, true | number>>;
    children: ComponentChildren;
  },
) {
  return (
    <div class="field" {...props.data}>
      <label for={props.name}>{props.label}</label>
      <FieldHint {...props} />
      <FieldErrors {...props} />
      {props.children}
    </div>
  );
}

function FieldGroup(props: FieldProps & { look: string; children: ComponentChildren }) {
  return (
    <fieldset class={`field ${props.look}`} id={props.name} tabIndex={-1} {...useDescription(props)}>
      <legend>{props.label}</legend>
      <FieldHint {...props} />
      <FieldErrors {...props} />
      {props.children}
    </fieldset>
  );
}

function FieldHint({ name, hint }: FieldProps) {
  if (hint === undefined) return null;
  return (
    <p class="field-hint" id={`${name}-hint`}>
      {hint}
    </p>
  );
}

/** Errors next to the field. They have no role: the summary at the top announces them. */
function FieldErrors(props: FieldProps) {
  const { name } = props;
  const messages = useErrorsOf(props);
  if (messages.length === 0) return null;
  return (
    <div id={`${name}-errors`}>
      {messages.map((message) => (
        <p class="field-error" key={message}>
          <AlertIcon />
          <span>{message}</span>
        </p>
      ))}
    </div>
  );
}

export function useDescription(props: Pick<FieldProps, 'name' | 'hint' | 'errors'>) {
  const { name, hint } = props;
  const isInvalid = useErrorsOf(props).length > 0;
  const ids = [hint !== undefined && `${name}-hint`, isInvalid && `${name}-errors`].filter(Boolean);
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(isInvalid && { 'aria-invalid': true as const }),
  };
}
