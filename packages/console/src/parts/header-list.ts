import { html, type TemplateResult } from 'lit';

/** List of HTTP headers. The styles are those of an entry's details. */
export function headerList(headers: Readonly<Record<string, string>>): TemplateResult {
  return html`<dl class="headers" translate="no">
    ${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}
