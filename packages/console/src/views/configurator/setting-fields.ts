import { html, type TemplateResult } from 'lit';
import { type Choice, impliedAttributes } from './choice.js';
import { themeProperties, valuesOf, type WidgetAttribute, type WidgetElement } from './widget-elements.js';

/** Receives the new value of a setting; an empty text removes it. */
type OnChange = (name: string, value: string | true) => void;

export function attributeFields(
  { name: element, attributes }: WidgetElement,
  choice: Choice,
  onChange: OnChange,
): TemplateResult[] {
  const isFirst = Object.keys(choice.elements)[0] === element;
  const values = { ...impliedAttributes(element, isFirst, choice), ...choice.elements[element] };
  return attributes.map((attribute) =>
    attributeField(attribute, {
      id: `${element}-${attribute.name}`,
      value: values[attribute.name] ?? '',
      onChange,
    }),
  );
}

interface Field {
  readonly id: string;
  readonly value: string | true;
  readonly onChange: OnChange;
}

function attributeField(attribute: WidgetAttribute, { id, value, onChange }: Field): TemplateResult {
  const { name, description, type } = attribute;
  const hint = html`<p class="muted hint" id="${id}-hint">${shortened(description)}</p>`;
  if (type === 'boolean') {
    return html`<div class="field">
      <label class="check">
        <input
          type="checkbox"
          id=${id}
          data-setting=${name}
          .checked=${value === true}
          aria-describedby="${id}-hint"
          @change=${(event: Event) => onChange(name, (event.target as HTMLInputElement).checked ? true : '')}
        />
        ${name}
      </label>
      ${hint}
    </div>`;
  }
  const choices = valuesOf(attribute);
  // Several values at once are a list, which is typed.
  if (choices.length > 0) {
    return html`<div class="field">
      <label for=${id}>${name}</label>
      <select
        id=${id}
        data-setting=${name}
        aria-describedby="${id}-hint"
        @change=${(event: Event) => onChange(name, (event.target as HTMLSelectElement).value)}
      >
        <option value="" ?selected=${value === ''}>default</option>
        ${choices.map((each) => html`<option value=${each} ?selected=${each === value}>${each}</option>`)}
      </select>
      ${hint}
    </div>`;
  }
  return textField({ id, label: name, value: String(value), hint, onChange: (text) => onChange(name, text) });
}

/** Returns the fields of the CSS custom properties. */
export function themeFields(theme: Choice['theme'], onChange: OnChange): TemplateResult[] {
  return themeProperties.map(({ name, description = '' }) =>
    textField({
      id: `theme${name}`,
      label: name,
      value: theme[name] ?? '',
      hint: html`<p class="muted hint" id="theme${name}-hint">${shortened(description)}</p>`,
      onChange: (text) => onChange(name, text),
    }),
  );
}

function textField(field: {
  id: string;
  label: string;
  value: string;
  hint: TemplateResult;
  onChange: (text: string) => void;
}): TemplateResult {
  const { id, label, value, hint, onChange } = field;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      data-setting=${label}
      .value=${value}
      maxlength="500"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${id}-hint"
      @input=${(event: Event) => onChange((event.target as HTMLInputElement).value)}
    />
    ${hint}
  </div>`;
}

/** Returns the first sentences of a description: the rest is in the README. */
function shortened(description: string): string {
  return description.replaceAll('`', '').replaceAll('\n', ' ');
}
