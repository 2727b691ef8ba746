/**
 * The parts of `latchkey.js` that `latchkey-plans.js` uses. In the build of `latchkey-plans.js`, this module replaces
 * `lit` and the base of the elements, and a page loads them only once. They come from the registered gate: its base
 * class, which is a LitElement, and its first style sheet, which is the theme.
 */
import type { LitElement } from 'lit';

const gate = customElements.get('latchkey-gate') as unknown as { styles: readonly CSSStyleSheet[] };

export const SessionElement: typeof LitElement = Object.getPrototypeOf(gate);
export const [theme] = gate.styles;

/** Creates a template like Lit's `html`. Lit keeps this shape in all versions, so different versions can be mixed. */
export const html = (strings: TemplateStringsArray, ...values: unknown[]) => ({
  _$litType$: 1,
  strings,
  values,
});

/** Lit's value that renders nothing. */
export const nothing = Symbol.for('lit-nothing');

export function css([text = '']: TemplateStringsArray): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
