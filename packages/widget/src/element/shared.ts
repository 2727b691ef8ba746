import { html, type TemplateResult } from 'lit';
import type { LoginSession } from '../session/login-session.js';

/** Splits a list at white space and commas. Frameworks may set an array instead of a string. */
export function splitList(list: string | null | undefined): string[] {
  return `${list ?? ''}`.split(/[\s,]+/).filter(Boolean);
}

type SessionView = NonNullable<LoginSession['shownBy']>;

/**
 * True if the element shows the session's panel. Only one element at a time does. This one takes over if the other has
 * left the page, or is hidden while this one is visible. Two hidden elements would otherwise fight over it forever.
 */
export function showsPanel(view: SessionView, session: LoginSession): boolean {
  const { shownBy } = session;
  if (view !== shownBy && shownBy?.isConnected && (isVisible(shownBy) || !isVisible(view))) return false;
  takePanel(view, session);
  return true;
}

function isVisible(view: SessionView): boolean {
  return view.checkVisibility?.({ visibilityProperty: true });
}

/**
 * Makes the element the only one that shows the session's panel. Does nothing if the element has left the page: two
 * such elements would take the panel from each other forever.
 */
export function takePanel(view: SessionView, session: LoginSession | undefined): void {
  const before = session?.shownBy;
  if (!session || before === view || !view.isConnected) return;
  session.shownBy = view;
  before?.requestUpdate();
  view.requestUpdate();
}

/** Returns an element's parent. At the top of a shadow tree, that is the tree's host. */
export function parentOf(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;
}

/** Returns a template of this markup. It uses Lit's Trusted Types policy, so a site needs to allow only that one. */
export function staticTemplate(markup: string): TemplateResult {
  return html(Object.assign([markup], { raw: [markup] }));
}

/** Calls back once the page has loaded, or has had ten seconds to: a page with an endless video stream never has. */
export function afterLoad(callback: () => void): void {
  addEventListener('load', callback);
  setTimeout(callback, document.readyState === 'complete' ? 0 : 10_000);
}
