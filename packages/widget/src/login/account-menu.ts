import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { scriptOrigin } from '../browser/addresses.js';
import type { Messages } from '../messages/en.js';
import type { Membership } from '../state/login-state.js';
import { icon } from './icons.js';

/** The parts of the login element that the account menu uses. */
interface Login extends ReactiveControllerHost, Element {
  messages: Messages;
  memberships: readonly Membership[] | undefined;
  membershipNames: MembershipNames | null | undefined;
  serviceUrl: string | null | undefined;
  /** Page of the site where users manage their account. An empty string means none. */
  accountUrl: string | null | undefined;
  switchAccount: () => void;
  signOut: () => void;
}

/** Renders the account menu below its header: memberships, the site's own entries and account actions. */
export function accountMenu(login: Login): TemplateResult {
  const { messages, memberships, serviceUrl, accountUrl, switchAccount, signOut } = login;
  const names = login.membershipNames ?? {};
  const origin = scriptOrigin();
  // The service's account page. It opens in another tab: the session may last only as long as this page.
  const servicePage = origin && (serviceUrl ?? origin) === origin ? `${origin}/account` : '';
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

/** Names of memberships, by the id of the plan, product, community or membership, or by the product type. */
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

export const personIcon = icon('M12 3a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM3 21a9 7 0 0 1 18 0');
const switchIcon = icon('M4 8h16l-5-5m5 13H4l5 5');
export const leaveIcon = icon('M9 3H4v18h5m-1-9h13m-5-5 5 5-5 5');
