import { html, type TemplateResult } from 'lit';

/**
 * Button that closes an entry where it replaces the list, in a narrow window. The styles are those of an entry's details.
 *
 * @param entry Element that fires `console-close`.
 */
export function backToList(entry: EventTarget): TemplateResult {
  return html`<button
    class="button secondary small back"
    type="button"
    @click=${() => entry.dispatchEvent(new Event('console-close'))}
  >
    Back to the list
  </button>`;
}
