import { html, type TemplateResult } from 'lit';
import type { Choice } from './choice.js';
import { attributeFields, themeFields } from './setting-fields.js';
import { widgetElements } from './widget-elements.js';

type Change = (change: Partial<Choice>) => void;

/** Renders the choice of elements, and the settings of each chosen one. */
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

/** Returns the elements with or without this one, in their usual order. */
function toggled({ elements }: Choice, name: string, isShown: boolean): Pick<Choice, 'elements'> {
  const shown = widgetElements
    .filter((each) => (each.name === name ? isShown : each.name in elements))
    .map((each) => [each.name, elements[each.name] ?? {}]);
  return { elements: Object.fromEntries(shown) };
}

function withoutEmpty(theme: Choice['theme']): Choice['theme'] {
  return Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== ''));
}
