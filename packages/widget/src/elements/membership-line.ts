import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/en.js';
import type { Membership } from '../state/membership.js';

/** Renders a membership: its product type and its expiry. */
export function membershipLine(
  { productType, validUntil }: Membership,
  { kinds, otherKind, unlimited, until, locale }: Messages,
): TemplateResult {
  const end = Date.parse(validUntil ?? '');
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  return html`<li>
    ${kinds[productType ?? ''] ?? otherKind}
    <span class="muted">${Number.isNaN(end) ? unlimited : until(date.format(end))}</span>
  </li>`;
}
