import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/en.js';
import type { Membership } from '../state/membership.js';

/** Names of memberships by id of the plan, the product, the community or the membership, or by product type. */
export type MembershipNames = Readonly<Record<string, string>>;

/** Renders a membership: its name and its expiry. */
export function membershipLine(
  membership: Membership,
  names: MembershipNames,
  { kinds, otherKind, unlimited, until, locale }: Messages,
): TemplateResult {
  const { id, productType = '', pricingPlanId, productId, communityId, validUntil } = membership;
  const ids = [pricingPlanId, productId, communityId, id, productType];
  const named = ids.find((key) => names[key ?? '']);
  const end = Date.parse(validUntil ?? '');
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  return html`<li>
    <span dir="auto">${names[named ?? ''] ?? membership.name ?? kinds[productType] ?? otherKind}</span>
    <span class="muted">${Number.isNaN(end) ? unlimited : until(date.format(end))}</span>
  </li>`;
}
