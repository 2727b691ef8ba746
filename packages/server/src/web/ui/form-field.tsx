import type { ComponentChildren } from 'preact';
import { type FormFault, faultsOf } from './error-summary.js';
import { AlertIcon } from './icons.js';

/** What every field of a form has. The name is also the id, so a page has each name once. */
interface FieldProps {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  faults?: readonly FormFault[] | undefined;
}

/** A field of one line. */
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
        // Preact wants one literal here; each of them takes the same attributes.
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

/** A field of several lines. */
export function TextArea(
  props: FieldProps & {
    value: string;
    rows?: number;
    /** Whether it holds addresses and the like rather than sentences. Default false. */
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
        {/* A line break right after the tag is dropped by the parser; this one is that. */}
        {`\n${value}`}
      </textarea>
    </Field>
  );
}

/** A field that takes one of several values. */
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

/** One choice of a {@link ChoiceGroup}. */
export interface Choice {
  value: string;
  label: string;
  /** What it means, in a sentence. */
  hint?: ComponentChildren;
  checked: boolean;
}

/** Several choices under one question: any of them (`checkbox`), or exactly one (`radio`). */
export function ChoiceGroup(props: FieldProps & { type: 'checkbox' | 'radio'; choices: readonly Choice[] }) {
  const { name, label, type, choices } = props;
  return (
    <fieldset class="field choices" id={name} tabIndex={-1} {...describedBy(props)}>
      <legend>{label}</legend>
      <FieldHint {...props} />
      <FieldFaults {...props} />
      {choices.map((choice) => (
        <ChoiceRow key={choice.value} {...choice} name={name} type={type} id={`${name}-${choice.value}`} />
      ))}
    </fieldset>
  );
}

/** A single yes or no. */
export function Switch(props: FieldProps & { checked: boolean }) {
  const { name, label, hint, checked } = props;
  return (
    <div class="field choices">
      <FieldFaults {...props} />
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

function Field(props: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={props.name}>{props.label}</label>
      <FieldHint {...props} />
      <FieldFaults {...props} />
      {props.children}
    </div>
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

/** The summary at the head of the page announces them; here they are found again. */
function FieldFaults({ name, faults }: FieldProps) {
  const messages = faultsOf(faults, name);
  if (messages.length === 0) return null;
  return (
    <div id={`${name}-faults`}>
      {messages.map((message) => (
        <p class="field-error" key={message}>
          <AlertIcon />
          <span>{message}</span>
        </p>
      ))}
    </div>
  );
}

function describedBy({ name, hint, faults }: FieldProps) {
  const isFaulty = faultsOf(faults, name).length > 0;
  const ids = [hint !== undefined && `${name}-hint`, isFaulty && `${name}-faults`].filter(Boolean);
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(isFaulty && { 'aria-invalid': true as const }),
  };
}
