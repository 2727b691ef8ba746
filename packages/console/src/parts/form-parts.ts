import { html, type TemplateResult } from 'lit';

/** A value to choose, with its label if that differs. */
export type Option = string | readonly [value: string, label: string];

interface SelectField {
  readonly id: string;
  readonly options: readonly Option[];
  /** The selected value; by default the first option. */
  readonly selected?: string | undefined;
  readonly isRequired?: boolean;
  readonly onChange?: (value: string) => void;
}

export function selectField(label: string, field: SelectField): TemplateResult {
  const { id, options, selected, isRequired = false, onChange } = field;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} name=${id} ?required=${isRequired}
      @change=${({ target }: Event) => onChange?.((target as HTMLSelectElement).value)}>
      ${options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option;
        return selected === undefined
          ? html`<option value=${value}>${text}</option>`
          : html`<option value=${value} .selected=${value === selected}>${text}</option>`;
      })}
    </select>
  </div>`;
}

/** Returns the values of a form's fields, without empty ones. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}
