import { html, nothing, type TemplateResult } from 'lit';
import { staticTemplate } from '../element/shared.js';
import type { Messages } from '../messages/en.js';
import type { Membership } from '../state/login-state.js';

interface AccountMenu {
  messages: Messages;
  memberships: readonly Membership[] | undefined;
  names: MembershipNames;
  /** Page of the site where users manage their account. An empty text means none. */
  accountUrl: string | null | undefined;
  /** Account page of the service. It opens beside this page, whose session may last only as long as the page. */
  servicePage: string;
  switchAccount: () => void;
  signOut: () => void;
}

/** Renders the account menu below its header: the memberships, the account page, the site's own entries and the sign-out. */
export function accountMenu(menu: AccountMenu): TemplateResult {
  const { messages, memberships, names, accountUrl, servicePage, switchAccount, signOut } = menu;
  const href = accountUrl ?? servicePage;
  const list = memberships?.length
    ? memberships.map((membership) => membershipLine(membership, names, messages))
    : html`<li class="muted">${messages.noMemberships}</li>`;
  return html`${memberships ? html`<ul>${list}</ul>` : nothing}
    <div class="rows">
      <slot name="menu"></slot>
      ${
        href
          ? html`<a class="row" part="action" href=${href} target=${href === servicePage ? '_blank' : nothing}
              >${personIcon}${messages.manageAccount}</a
            >`
          : nothing
      }
      <button class="row" part="action" type="button" @click=${switchAccount}>
        ${switchIcon}${messages.switchAccount}
      </button>
      <button class="row" part="action" type="button" @click=${signOut}>${leaveIcon}${messages.signOut}</button>
    </div>`;
}

/** Names of memberships by id of the plan, the product, the community or the membership, or by product type. */
export type MembershipNames = Readonly<Record<string, string>>;

function membershipLine(
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

/**
 * Returns an icon. Lit visits the first element or comment of a template, and the others only to find expressions. An SVG
 * element that it visits delays the page, because the browser then creates the interfaces of SVG for scripts. So a comment
 * comes first, and the icon has no expressions.
 */
const icon = (path: string, className = '') =>
  staticTemplate(
    `<!----><svg class="${className}" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`,
  );

export const keyIcon = icon('M16 3a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12.5 11.5 3 21m3-3 3 3m1-7 3 3');
export const chevron = icon('m6 9 6 6 6-6', 'chevron');
export const personIcon = icon('M12 3a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM3 21a9 7 0 0 1 18 0');
const switchIcon = icon('M4 8h16l-5-5m5 13H4l5 5');
export const leaveIcon = icon('M9 3H4v18h5m-1-9h13m-5-5 5 5-5 5');
