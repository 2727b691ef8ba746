import { html, type TemplateResult } from 'lit';

/**
 * An icon in the colour of the surrounding text, hidden from screen readers. The paths are the same as on the service's
 * pages.
 */
function icon(path: string): TemplateResult {
  return html`<svg
    class="icon"
    aria-hidden="true"
    viewBox="0 0 24 24"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
  ><path d=${path} /></svg>`;
}

export const copyIcon: TemplateResult = icon(
  'M10.5 8.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM15.5 8.5V6.5a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2',
);

export const checkIcon: TemplateResult = icon('m5 12.5 4.5 4.5L19 7.5');

export const closeIcon: TemplateResult = icon('m6 6 12 12M18 6 6 18');
