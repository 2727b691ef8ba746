/** Replaces `element/rest.ts` in the build of `latchkey.js`. Stands in for the rest of the widget until it loads. */
import { html } from 'lit';
import type * as elements from './element/rest.js';
import type { GateContent } from './gate/gate-content.js';
import { loadRest, loadRestInTheEnd } from './sign-in/load-rest.js';
import { failureOf, type LoginFailure, logForOwner } from './state/login-failure.js';
import { emit } from './state/widget-events.js';

let rest: typeof elements | undefined;

/** What to do once the rest has loaded. */
const later: ((loaded: typeof elements) => void)[] = [];

function whenLoaded(work: (loaded: typeof elements) => void): void {
  if (rest) work(rest);
  else later.push(work);
}

export function setElementRest(loaded: typeof elements): void {
  rest = loaded;
  for (const work of later.splice(0)) work(loaded);
}

type Stand<Name extends keyof typeof elements> = (typeof elements)[Name];

export const explainSetting: Stand<'explainSetting'> = (setting) => rest?.explainSetting(setting) ?? '';
export const mayPlace: Stand<'mayPlace'> = (gate, isLate) => rest?.mayPlace(gate, isLate) ?? false;
export const placeContent: Stand<'placeContent'> = (gate, content) => rest?.placeContent(gate, content);
/** Until the rest has loaded, a panel is in the flow of the page. Moves it into the window, which it would widen. */
export const placePanel: Stand<'placePanel'> = (panel, anchor) => {
  if (rest) return rest.placePanel(panel, anchor);
  // Measuring a panel that nobody sees would delay the first paint.
  if (panel.matches('.quiet')) return;
  const { left, right } = panel.getBoundingClientRect();
  // Leaves space for a scroll bar.
  const shift = Math.max(-left, Math.min(0, innerWidth - 16 - right));
  if (shift) panel.style.inset = `100% auto auto ${panel.offsetLeft + shift}px`;
};
/** A popup can open before the rest has loaded. */
export const statusPanel: Stand<'statusPanel'> = (login, snapshot, dismiss) => {
  if (rest) return rest.statusPanel(login, snapshot, dismiss);
  const { opening, cancel } = login.messages;
  return snapshot.status === 'opening' ? [opening, [cancel, dismiss]] : [''];
};
export const warnAboutProductType: Stand<'warnAboutProductType'> = (list) =>
  whenLoaded((loaded) => loaded.warnAboutProductType(list));
export const warnIfDifferent: Stand<'warnIfDifferent'> = (shared, options) =>
  whenLoaded((loaded) => loaded.warnIfDifferent(shared, options));

export const prepareElements: Stand<'prepareElements'> = () => {
  loadRest('').catch(() => {});
};

/** The elements that need the rest, each with the failure if it couldn't be loaded. */
const needs = new WeakMap<object, LoginFailure | undefined>();

/** Loads the rest for an element and returns the failure, if any. The element updates on success and failure. */
function need(host: Parameters<Stand<'createGateContent'>>[0]): LoginFailure | undefined {
  if (!needs.has(host)) {
    needs.set(host, undefined);
    void loadRestInTheEnd(host.serviceUrl, (error) => {
      const failure = failureOf(error, 'check');
      needs.set(host, failure);
      logForOwner(failure);
      emit(host, 'latchkey-error', failure);
      host.requestUpdate();
    });
  }
  return needs.get(host);
}

export const createGateContent: Stand<'createGateContent'> = (gate) => {
  let content: GateContent | undefined;
  return {
    get response() {
      return content?.response ?? { state: needs.get(gate) ? 'error' : 'loading' };
    },
    load(session, address) {
      content ??= rest?.createGateContent(gate);
      if (content) content.load(session, address);
      else need(gate);
    },
    clear() {
      needs.delete(gate);
      content?.clear();
    },
  };
};

export const accountMenu: Stand<'accountMenu'> = (login) => {
  if (rest) return rest.accountMenu(login);
  const { messages } = login;
  const failure = need(login);
  const retry = () => {
    needs.delete(login);
    login.requestUpdate();
  };
  return failure
    ? html`<p>${messages.failures[failure.code]}</p>
        <button part="action" type="button" @click=${retry}>${messages.tryAgain}</button>`
    : html`<span class="spinner"></span>`;
};
