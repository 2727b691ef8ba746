import type { DataRecord } from '@latchkey/sandbox';
import { html, nothing, type TemplateResult } from 'lit';
import '../../parts/console-copy.js';

/** A value that only the answer to a change contains. */
export type ShownOnce = readonly [label: string, text: string];

/** Labels of the fields of an answer that are shown once. */
const LABELS: Readonly<Record<string, string>> = {
  clientSecret: 'Client secret',
  key: 'API key',
  secret: 'Webhook secret',
  checkoutUrl: 'Address of the checkout',
};

export function shownOnce(answer: DataRecord): readonly ShownOnce[] {
  return Object.entries(LABELS).flatMap(([field, label]) =>
    answer[field] === undefined ? [] : [[label, String(answer[field])] as const],
  );
}

/** Renders the values with a button each that copies it. */
export function shownOncePanel(values: readonly ShownOnce[]): TemplateResult | typeof nothing {
  if (values.length === 0) return nothing;
  return html`<section class="panel secrets" aria-label="Shown once">
    <p><strong>Copy this now.</strong> It is not shown again.</p>
    ${values.map(
      ([label, text]) => html`<div class="row">
        <span>${label}</span>
        ${text.startsWith('http') ? html`<a href=${text}><code>${text}</code></a>` : html`<code>${text}</code>`}
        <console-copy icon text=${text} name=${label}></console-copy>
      </div>`,
    )}
  </section>`;
}
