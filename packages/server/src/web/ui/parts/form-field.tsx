import type { ComponentChildren } from 'preact';
import { errorsOf, type FormError } from './error-summary.js';
import { AlertIcon } from './icons.js';

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
  const {
    name,
    value,
    type = 'text',
    maxLength,
    required,
    autoComplete = 'off',
    spellcheck,
    inputMode,
  } = props;
  return (
    <Field {...props}>
      <input
        id={name}
        name={name}
        // Preact's types require one literal. All of these types accept the same attributes.
        type={type as 'text'}
        value={value}
        maxLength={maxLength}
        inputMode={inputMode}
        required={required}
        autoComplete={autoComplete}
        spellcheck={spellcheck}
        {...describedBy(props)}
      />
    </Field>
  );
}

/** Text field with several lines. */
export function TextArea(
  props: FieldProps & {
    value: string;
    rows?: number;
    /**
     * True if the content is URLs or code rather than sentences.
     *
     * @default false
     */
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
        {...(isLiteral ? { class: 'literal', spellcheck: false, dir: 'ltr' } : { dir: 'auto' })}
        {...describedBy(props)}
      >
        {/* The HTML parser drops a line break right after the tag. */}
        {`\n${value}`}
      </textarea>
    </Field>
  );
}

export function SelectField(
  props: FieldProps & { value: string; options: readonly { value: string; label: string }[] },
) {
  const { name, value, options } = props;
  return (
    <Field {...props}>
      <select id={name} name={name} {...describedBy(props)}>
        {options.map((option) => (
          <option value={option.value} key={option.value} selected={option.value === value}>
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
  /** Explanation in one sentence. */
  hint?: ComponentChildren;
  checked: boolean;
}

/** Group of choices: any number (`checkbox`) or exactly one (`radio`). */
export function ChoiceGroup(
  props: FieldProps & {
    type: 'checkbox' | 'radio';
    choices: readonly Choice[];
    /**
     * True for rows in one box, each of them a target as wide as the box.
     *
     * @default false
     */
    isBoxed?: boolean;
  },
) {
  const { name, label, type, choices, isBoxed = false } = props;
  return (
    <fieldset
      class={isBoxed ? 'field choices boxed' : 'field choices'}
      id={name}
      tabIndex={-1}
      {...describedBy(props)}
    >
      <legend>{label}</legend>
      <FieldHint {...props} />
      <FieldErrors {...props} />
      {choices.map((choice) => (
        <ChoiceRow key={choice.value} {...choice} name={name} type={type} id={`${name}-${choice.value}`} />
      ))}
    </fieldset>
  );
}

/** Single checkbox. */
export function Switch(props: FieldProps & { checked: boolean }) {
  const { name, label, hint, checked } = props;
  return (
    <div class="field choices">
      <FieldErrors {...props} />
      <ChoiceRow
        id={name}
        name={name}
        type="checkbox"
        value="on"
        label={label}
        hint={hint}
        checked={checked}
      />
    </div>
  );
}

function ChoiceRow(
  props: Omit<Choice, 'label'> & {
    id: string;
    name: string;
    type: 'checkbox' | 'radio';
    label: ComponentChildren;
  },
) {
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

/** Label, hint and errors around a control. */
export function Field(props: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={props.name}>{props.label}</label>
      <FieldHint {...props} />
      <FieldErrors {...props} />
      {props.children}
    </div>
  );
}

export function FieldHint({ name, hint }: FieldProps) {
  if (hint === undefined) return null;
  return (
    <p class="field-hint" id={`${name}-hint`}>
      {hint}
    </p>
  );
}

/** Errors beside the field. They have no role, because the summary at the top announces them. */
export function FieldErrors({ name, errors }: FieldProps) {
  const messages = errorsOf(errors, name);
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

/** Returns the attributes that connect a field to its hint and its errors. */
export function describedBy({ name, hint, errors }: FieldProps) {
  const isInvalid = errorsOf(errors, name).length > 0;
  const ids = [hint !== undefined && `${name}-hint`, isInvalid && `${name}-errors`].filter(Boolean);
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(isInvalid && { 'aria-invalid': true as const }),
  };
}
