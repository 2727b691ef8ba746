import { html, nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/en.js';
import type { Membership } from '../state/membership.js';
import { leaveIcon, personIcon } from './icons.js';
import { type MembershipNames, membershipLine } from './membership-line.js';

export interface AccountMenu {
  messages: Messages;
  memberships: readonly Membership[] | undefined;
  names: MembershipNames;
  /** Page of the site where users manage their account. An empty text means none. */
  accountUrl: string | null | undefined;
  /** Account page of the service. It opens beside this page, whose session may last only as long as the page. */
  servicePage: string;
  signOut: () => void;
}

/** Renders the account menu below its header: the memberships, the account page, the site's own entries and the sign-out. */
export function accountMenu(menu: AccountMenu): TemplateResult {
  const { messages, memberships, names, accountUrl, servicePage, signOut } = menu;
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
      <button class="row" part="action" type="button" @click=${signOut}>${leaveIcon}${messages.signOut}</button>
    </div>`;
}
