import { html, type TemplateResult } from 'lit';

/** Attributes by name. `true` is an attribute without a value, `''` an attribute that is left out. */
type ChosenAttributes = Readonly<Record<string, string | true>>;

export interface Choice {
  readonly clientId: string;
  readonly communityId: string;
  readonly planId: string;
  /** Elements on the page, with the attributes that differ from what the ids imply. */
  readonly elements: Readonly<Record<string, ChosenAttributes>>;
  /** CSS custom properties by name. */
  readonly theme: Readonly<Record<string, string>>;
}

const FIRST_CHOICE: Choice = {
  clientId: '',
  communityId: '',
  planId: '',
  elements: { 'latchkey-login': {}, 'latchkey-gate': {}, 'latchkey-plans': {} },
  theme: {},
};

/** Reads a choice from a URL. A broken one means the default choice. */
export function readChoice(text: string): Choice {
  try {
    const given = JSON.parse(text) as Partial<Choice>;
    return {
      clientId: String(given.clientId ?? ''),
      communityId: String(given.communityId ?? ''),
      planId: String(given.planId ?? ''),
      elements: given.elements === undefined ? FIRST_CHOICE.elements : onlyObjects(given.elements),
      theme: { ...given.theme },
    };
  } catch {
    return FIRST_CHOICE;
  }
}

/** Returns all attributes of the elements: the implied ones, then the chosen ones. */
export function attributesOf(choice: Choice): Record<string, Record<string, string | true>> {
  const names = Object.keys(choice.elements);
  return Object.fromEntries(
    names.map((name, index) => {
      const all = { ...impliedAttributes(name, index === 0, choice), ...choice.elements[name] };
      return [name, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))];
    }),
  );
}

/** Returns the attributes that follow from the chosen ids. The first element on a page has the client id. */
function impliedAttributes(name: string, isFirst: boolean, choice: Choice): Record<string, string> {
  const { clientId, communityId, planId } = choice;
  return {
    ...(isFirst && { 'client-id': clientId }),
    backend: '/auth',
    ...(name !== 'latchkey-login' && { community: communityId }),
    ...(name === 'latchkey-join' && { plan: planId }),
  };
}

/** Leaves out what isn't an element. A URL can contain anything. */
function onlyObjects(elements: Choice['elements']): Choice['elements'] {
  return Object.fromEntries(
    Object.entries(elements).filter(([, value]) => typeof value === 'object' && value !== null),
  );
}

interface WidgetAttribute {
  readonly name: string;
  readonly description: string;
  /** Type in the manifest: `boolean`, a union of strings, or another type. */
  readonly type: string;
}

interface WidgetElement {
  readonly name: string;
  readonly attributes: readonly WidgetAttribute[];
  /** CSS custom properties. */
  readonly properties: readonly { readonly name: string; readonly description?: string }[];
}

/** Elements of the manifest. The build inserts them. */
declare const WIDGET_ELEMENTS: readonly WidgetElement[];

const ORDER = ['latchkey-login', 'latchkey-gate', 'latchkey-plans', 'latchkey-join'];

const widgetElements: readonly WidgetElement[] = WIDGET_ELEMENTS.toSorted(
  (one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name),
);

const themeProperties: WidgetElement['properties'] = [
  ...new Map(
    widgetElements.flatMap(({ properties }) => properties.map((each) => [each.name, each])),
  ).values(),
];

/** Returns the values that an attribute can have; empty if it can be any string. */
function valuesOf({ type }: WidgetAttribute): string[] {
  return [...type.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
}

type Change = (change: Partial<Choice>) => void;

export function elementSettings(choice: Choice, change: Change): TemplateResult {
  const { elements, theme } = choice;
  return html`<section class="panel" aria-labelledby="elements">
    <h2 id="elements">Elements and settings</h2>
    <fieldset class="elements">
      <legend class="visually-hidden">Elements on the page</legend>
      ${widgetElements.map(
        ({ name }) =>
          html`<label class="check">
            <input
              type="checkbox"
              name=${name}
              .checked=${name in elements}
              @change=${(event: Event) => change(toggled(choice, name, (event.target as HTMLInputElement).checked))}
            />
            ${name.replace('latchkey-', '')}
          </label>`,
      )}
    </fieldset>
    ${widgetElements
      .filter(({ name }) => name in elements)
      .map(
        (element) =>
          html`<details id="settings-${element.name}">
            <summary>&lt;${element.name}&gt;</summary>
            <div class="fields">
              ${attributeFields(element, choice, (name, value) =>
                change({
                  elements: { ...elements, [element.name]: { ...elements[element.name], [name]: value } },
                }),
              )}
            </div>
          </details>`,
      )}
    <details id="settings-theme">
      <summary>Colours and sizes</summary>
      <div class="fields">
        ${themeFields(theme, (name, value) => change({ theme: withoutEmpty({ ...theme, [name]: String(value) }) }))}
      </div>
    </details>
  </section>`;
}

function toggled({ elements }: Choice, name: string, isShown: boolean): Pick<Choice, 'elements'> {
  const shown = widgetElements
    .filter((each) => (each.name === name ? isShown : each.name in elements))
    .map((each) => [each.name, elements[each.name] ?? {}]);
  return { elements: Object.fromEntries(shown) };
}

function withoutEmpty(theme: Choice['theme']): Choice['theme'] {
  return Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== ''));
}

/** Receives the new value of a setting; an empty string removes it. */
type OnChange = (name: string, value: string | true) => void;

function attributeFields(
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
  const hint = html`<p class="muted hint" id="${id}-hint">${plainText(description)}</p>`;
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
  // If several values are allowed at once, the list is typed.
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

function themeFields(theme: Choice['theme'], onChange: OnChange): TemplateResult[] {
  return themeProperties.map(({ name, description = '' }) =>
    textField({
      id: `theme${name}`,
      label: name,
      value: theme[name] ?? '',
      hint: html`<p class="muted hint" id="theme${name}-hint">${plainText(description)}</p>`,
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

function plainText(description: string): string {
  return description.replaceAll('`', '').replaceAll('\n', ' ');
}
