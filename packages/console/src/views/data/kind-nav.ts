import type { RecordKind } from '@latchkey/sandbox';
import { html, nothing, type TemplateResult } from 'lit';
import { addressOf } from './record-detail.js';
import { KINDS } from './record-kinds.js';

/** Renders the links to all kinds of records, with the number of records of each. */
export function kindNav(current: RecordKind, counts: Readonly<Record<string, number>>): TemplateResult {
  return html`<nav class="sub-nav kinds" aria-label="Kinds of records">
    ${KINDS.map(
      ({
        kind,
        label,
      }) => html`<a href=${addressOf({ kind })} aria-current=${kind === current ? 'page' : nothing}>
        ${label} <span class="count">${counts[kind]?.toLocaleString('en') ?? ''}</span>
      </a>`,
    )}
  </nav>`;
}
