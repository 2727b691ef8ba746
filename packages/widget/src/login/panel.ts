// What the panel of the login element shows, and where. A page loads it after its first paint.
import {
  adoptStyles,
  html,
  type LitElement,
  nothing,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { scriptOrigin } from '../browser/addresses.js';
import type { Messages } from '../messages/en.js';
import type { Membership, SessionSnapshot } from '../state/login-state.js';
import { icon } from './icons.js';
import { panelStyles } from './panel.styles.js';
import { isLeftToRight } from './placement.js';

export type Action = [label: string, onClick: () => void];

/** The panel's message and its actions. Without actions, only screen readers get the message. */
export type Panel = [text: string | TemplateResult, ...actions: Action[]];

/** The parts of the login element that its panel uses. */
interface Login extends ReactiveControllerHost, Element {
  messages: Messages;
  memberships: readonly Membership[] | undefined;
  membershipNames: MembershipNames | null | undefined;
  serviceUrl: string | null | undefined;
  /** Page of the site where users manage their account. An empty string means none. */
  accountUrl: string | null | undefined;
  signIn: () => void;
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

/** Smallest distance between the panel and the edge of the window, and between the panel and its button, in pixels. */
const MARGIN_PX = 8;

/**
 * Shows a panel in the top layer, where nothing on the page cuts it off, or hides it again. Its anchor is the element
 * that contains it and its button. The panel goes below the button, or above it if it doesn't fit below and there is
 * more room above. If the button is outside the window, the panel stays below it and covers nothing that the visitor
 * sees.
 */
export function placePanel(panel: HTMLElement, anchor: Element): void {
  const { style, classList } = panel;
  if (!classList.contains('quiet')) adoptPanelStyles(panel.getRootNode() as ShadowRoot, anchor);
  // The page can place the panel in its flow, as a gate does.
  const isOver = !classList.contains('quiet') && getComputedStyle(panel).position === 'absolute';
  panel.togglePopover?.(isOver);
  style.inset = isOver ? '0 auto auto 0' : '';
  if (!isOver) return;
  // Measures are in pixels of the window, but styles in those of the element, which CSS `zoom` makes larger or smaller.
  const { currentCSSZoom: zoom = 1 } = panel;
  const edges = anchor.getBoundingClientRect();
  const { left, top, width } = panel.getBoundingClientRect();
  const above = edges.top - 2 * MARGIN_PX;
  const below = innerHeight - edges.bottom - 2 * MARGIN_PX;
  const height = (panel.scrollHeight + panel.offsetHeight - panel.clientHeight) * zoom;
  const isInWindow = edges.bottom > 0 && edges.top < innerHeight;
  const isAbove = isInWindow && height > below && above > below;
  const room = isAbove ? above : isInWindow ? below : height;
  const isRight = classList.contains('end') === isLeftToRight(anchor);
  const end = document.documentElement.clientWidth - MARGIN_PX - width;
  const x = Math.max(MARGIN_PX, Math.min(isRight ? edges.right - width : edges.left, end));
  const y = isAbove ? edges.top - MARGIN_PX - Math.min(height, room) : edges.bottom + MARGIN_PX;
  style.inset = `${(y - top) / zoom}px auto auto ${(x - left) / zoom}px`;
  style.maxBlockSize = `${room / zoom}px`;
}

/** The shadow trees that already have the panel's styles. */
const styled = new WeakSet<ShadowRoot>();

function adoptPanelStyles(root: ShadowRoot, login: Element): void {
  if (styled.has(root)) return;
  styled.add(root);
  const { elementStyles } = login.constructor as typeof LitElement;
  adoptStyles(root, [...elementStyles, panelStyles]);
}

/** Returns the panel of a state other than a failure. */
export function statusPanel(
  { messages, signIn }: Login,
  { status, user }: SessionSnapshot,
  dismiss: () => void,
): Panel {
  const cancel: Action = [messages.cancel, dismiss];
  switch (status) {
    case 'waiting':
      return [messages.waiting, [messages.showWindow, signIn], cancel];
    case 'expired':
      return [messages.expired, [messages.signInAgain, signIn], [messages.dismiss, dismiss]];
    case 'signed-in':
      return [user?.email ? signedInAs(messages.signedInAs, user.email) : messages.signedIn];
    case 'opening':
    case 'exchanging':
      return [messages[status], cancel];
    default:
      return [''];
  }
}

/** Renders the message with the name in a separate element, wherever the language puts it. */
function signedInAs(message: (name: string) => string, name: string): TemplateResult {
  const [before, after] = message('\n').split('\n');
  return html`${before}<b dir="auto">${name}</b>${after}`;
}
